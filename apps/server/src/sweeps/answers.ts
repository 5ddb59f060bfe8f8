import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib'
import type { RadarSweep } from '@radx/contracts/radar-volume'
import type {
  RadarVolumeAnswer,
  SweepFieldName,
  SweepRay,
  VolumeSection,
} from '@radx/contracts/radar-volumes'
import type { SweepStage } from '@radx/contracts/sweep-bundle'
import type { SweepField } from '@radx/formats/cf-sweep'
import { decodeSweepRay, encodeSweepBundle, sweepValue } from '@radx/rainfall/sweep-bundle'
import { NotFound } from '../http/errors.ts'
import type { PlacedVolume } from '../ingest/api.ts'
import { soundOriginal } from '../store/file-store.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { type FieldBytes, openPack, type Pack, type PackedField, writePack } from './pack.ts'
import type { KeptVolume } from './volumes.ts'

const toPlain = promisify(zstdDecompress)
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
/** Decimals of values that are sent as text. */
const DECIMALS = 4

/** What a volume is worked out from. */
export type VolumeFiles = Pick<KeptVolume, 'key' | 'originals' | 'settings' | 'melting'>

/** What was measured, or what the corrections made of it: a pack each. */
export type PackPart = 'measured' | 'corrected'
export const packName = ({ key }: { key: string }, part: PackPart): string => `${key}.${part}`

export interface MeasuredAbout
  extends Pick<RadarVolumeAnswer, 'format' | 'site' | 'wavelengthM' | 'beamWidthDeg' | 'notes'> {
  sweeps: Omit<RadarVolumeAnswer['sweeps'][number], 'fields'>[]
}
export interface CorrectedAbout {
  notes: string[]
}

/** Reads the files of a volume once more, and keeps what was measured so that a sweep can be shown at once. */
export const measuredAnswer: AnswerKind<VolumeFiles, null> = {
  name: 'sweeps-measured',
  async run(context, volume) {
    const placed = await readVolume(context, volume)
    const { format, site, wavelengthM, beamWidthDeg = null, notes, sweeps } = placed
    const about: MeasuredAbout = {
      format,
      site: { name: site.name, lat: site.lat, lng: site.lon, altitudeM: site.altitudeM },
      wavelengthM,
      beamWidthDeg,
      notes,
      sweeps: sweeps.map(({ elevationDeg, datetime, nrays, nbins, rangeStartM, rangeStepM }) => ({
        ...{ elevationDeg, datetime, nrays, nbins, rangeStartM, rangeStepM },
      })),
    }
    const fields = sweeps.flatMap((sweep, n) =>
      Object.entries(sweep.moments).map(([name, moment]) =>
        packed(sweep, n, 'moments', { name, unit: moment!.unit || '1', values: moment!.values }),
      ),
    )
    await writePack(context.config.dataDir, packName(volume, 'measured'), about, fields)
    return null
  },
}

/** Takes a volume through the chain of polarimetry as when it came in, and keeps every stage. */
export const correctedAnswer: AnswerKind<VolumeFiles, null> = {
  name: 'sweeps-corrected',
  async run(context, volume) {
    const [{ chainOfVolume }, { stagesOf }] = await Promise.all([
      import('../ingest/api.ts'),
      import('./stages.ts'),
    ])
    const placed = await readVolume(context, volume)
    const made = chainOfVolume(placed, volume.settings, volume.melting)
    const fields: FieldBytes[] = []
    for (const one of made?.sweeps ?? []) {
      // A sweep without reflectivity has no stages.
      const n = placed.sweeps.indexOf(one.sweep)
      for (const [stage, stageFields] of Object.entries(stagesOf(one, made!.bias)))
        if (stage !== 'moments')
          for (const field of stageFields) fields.push(packed(one.sweep, n, stage as SweepStage, field))
    }
    const about: CorrectedAbout = { notes: made?.notes ?? placed.notes }
    await writePack(context.config.dataDir, packName(volume, 'corrected'), about, fields)
    return null
  },
}

async function readVolume(context: AnswerContext, { originals }: VolumeFiles): Promise<PlacedVolume> {
  const [{ readRadarVolumeInWorker }, { joinVolumes }, { placedVolume, radarOfSite }] = await Promise.all([
    import('@radx/formats/volume/worker'),
    import('@radx/formats/volume/join'),
    import('../ingest/api.ts'),
  ])
  const volumes = []
  for (const { hash, archivePath } of originals) {
    const path = await soundOriginal(context.store.files, archivePath, Buffer.from(hash, 'hex'))
    if (path !== null) volumes.push(await readRadarVolumeInWorker(await readFile(path)))
  }
  if (volumes.length === 0)
    throw new NotFound('Les fichiers de ce volume ne sont plus dans l’archive : il ne peut plus être montré.')
  return placedVolume(joinVolumes(volumes), radarOfSite(context.site))
}

function packed(
  sweep: RadarSweep,
  n: number,
  stage: SweepStage,
  { name, unit, values }: Pick<SweepField, 'name' | 'unit' | 'values'>,
): FieldBytes {
  const { elevationDeg, nrays, nbins, azimuthDeg, rangeStartM, rangeStepM } = sweep
  const geometry = { elevationDeg, nrays, nbins, azimuthDeg: [...azimuthDeg], rangeStartM, rangeStepM }
  const bundle = encodeSweepBundle({ stage, name, unit, ...geometry }, values)
  return { sweep: n, stage, name, unit, bytes: zstdCompressSync(bundle, ZSTD) }
}

interface RayRequest {
  key: string
  /** From 0 on. */
  sweep: number
  azimuth: number
}

/** A ray in every field that is kept of it, as the JSON that is sent; null where the sweep did not look there. */
export const sweepRayAnswer: AnswerKind<RayRequest, { body: Uint8Array } | null> = {
  name: 'sweeps-ray',
  async run({ config }, { key, sweep, azimuth }) {
    const answer: SweepRay = { azimuthDeg: Number.NaN, rangeStartM: 0, rangeStepM: 0, fields: [] }
    for (const part of ['measured', 'corrected'] as const) {
      const pack = await openPack(config.dataDir, packName({ key }, part))
      for (const field of pack?.fields ?? []) {
        const ray = field.sweep === sweep ? await rayOf(pack!, field, azimuth) : null
        if (!ray) continue
        const { stage, name, unit } = field
        const { values, ...geometry } = ray
        Object.assign(answer, geometry)
        answer.fields.push({ stage, name, unit, values })
      }
    }
    return answer.fields.length === 0 ? null : { body: new TextEncoder().encode(JSON.stringify(answer)) }
  },
}

interface SectionRequest extends Pick<SweepFieldName, 'stage' | 'name'> {
  key: string
  azimuth: number
}

/** A field along an azimuth through all sweeps, lowest first, as the JSON that is sent. */
export const volumeSectionAnswer: AnswerKind<SectionRequest, { body: Uint8Array }> = {
  name: 'sweeps-section',
  async run({ config }, { key, stage, name, azimuth }) {
    const part = stage === 'moments' ? 'measured' : 'corrected'
    const pack = await openPack(config.dataDir, packName({ key }, part))
    const answer: VolumeSection = { unit: '', sweeps: [] }
    for (const field of pack?.fields ?? []) {
      if (field.stage !== stage || field.name !== name) continue
      const ray = await rayOf(pack!, field, azimuth)
      if (ray) answer.sweeps.push(ray)
      answer.unit = field.unit
    }
    answer.sweeps.sort((a, b) => a.elevationDeg - b.elevationDeg)
    return { body: new TextEncoder().encode(JSON.stringify(answer)) }
  },
}

async function rayOf(
  pack: Pack<unknown>,
  field: PackedField,
  azimuth: number,
): Promise<VolumeSection['sweeps'][number] | null> {
  const bytes = await pack.read(field)
  if (bytes === null) {
    // The next call makes it anew.
    await pack.drop()
    throw new StoreCorruptError(`${field.stage} ${field.name} d’un volume`)
  }
  const found = decodeSweepRay(await toPlain(bytes), azimuth)
  if (found === null) return null
  const { header, ray } = found
  const { azimuthDeg, elevationDeg, rangeStartM, rangeStepM } = header
  const values = Array.from(found.codes, (code) => {
    const value = sweepValue(header, code)
    return Number.isFinite(value) ? Number(value.toFixed(DECIMALS)) : null
  })
  return { elevationDeg, azimuthDeg: azimuthDeg[ray], rangeStartM, rangeStepM, values }
}
