import type { RadarVolumeAnswer, RadarVolumeStages, SweepFieldName } from '@radx/contracts/radar-volumes'
import { isoSeconds } from '@radx/locale/time'
import type { FastifyRequest } from 'fastify'
import type { App, Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { type Answers, answersOf } from '../threads/answers.ts'
import {
  type CorrectedAbout,
  correctedAnswer,
  type MeasuredAbout,
  measuredAnswer,
  type PackPart,
  packName,
} from './answers.ts'
import { openPack, type Pack, type PackedField } from './pack.ts'
import { findVolume, type KeptVolume } from './volumes.ts'

export type FieldRequest = Pick<PackedField, 'sweep' | 'stage' | 'name'>

interface Abouts {
  measured: MeasuredAbout
  corrected: CorrectedAbout
}

/** What can be seen of kept volumes. What is worked out of one is made on its first call, one volume at a time. */
export class SweepService {
  private readonly deps: Deps
  readonly answers: Answers
  /** What is being made: one of a kind at a time, since a volume under correction takes a gigabyte of memory. */
  private readonly making: Record<PackPart, Promise<unknown>> = {
    measured: Promise.resolve(),
    corrected: Promise.resolve(),
  }

  constructor(app: App, deps: Deps) {
    this.deps = deps
    this.answers = answersOf(app, deps)
  }

  store(): Promise<Store> {
    return storeOf(this.deps)
  }

  async volume(id: string): Promise<KeptVolume> {
    return findVolume(await this.store(), this.deps.site, id)
  }

  /** What was measured or made of a volume; made now where it is not kept. */
  async pack<Part extends PackPart>(
    volume: KeptVolume,
    part: Part,
    request: FastifyRequest,
  ): Promise<Pack<Abouts[Part]>> {
    const kept = () => openPack<Abouts[Part]>(this.deps.config.dataDir, packName(volume, part))
    const found = await kept()
    if (found) return found
    const { key, originals, settings, melting } = volume
    const made = this.making[part].then(async () => {
      const meanwhile = await kept()
      if (meanwhile) return meanwhile
      await this.answers.make(
        part === 'measured' ? measuredAnswer : correctedAnswer,
        { key, originals, settings, melting },
        request,
      )
      return kept()
    })
    this.making[part] = made.catch(() => undefined)
    const pack = await made
    if (!pack) throw new Error(`the pack ${packName(volume, part)} is not there after it was made`)
    return pack
  }

  /** Everything about a volume but its values. */
  async about(volume: KeptVolume, request: FastifyRequest): Promise<RadarVolumeAnswer> {
    const { about, fields } = await this.pack(volume, 'measured', request)
    const { sweeps, ...rest } = about
    return {
      id: volume.id,
      product: volume.product,
      datetime: isoSeconds(volume.timeMs),
      files: volume.originals.map(({ archivePath }) => archivePath.split('/').at(-1) ?? archivePath),
      ...rest,
      sweeps: sweeps.map((sweep, n) => ({ ...sweep, fields: namesOf(fields, n) })),
    }
  }

  /** What the corrections made of a volume. */
  async stages(volume: KeptVolume, request: FastifyRequest): Promise<RadarVolumeStages> {
    const { about: measured } = await this.pack(volume, 'measured', request)
    const { about, fields } = await this.pack(volume, 'corrected', request)
    return {
      notes: about.notes,
      sweeps: measured.sweeps.map((_, n) => ({ fields: namesOf(fields, n) })),
    }
  }

  /** A field of a sweep as zstd, checked, with its unit; made anew where it is damaged. @throws NotFound for one that the sweep has not */
  async field(
    volume: KeptVolume,
    { sweep, stage, name }: FieldRequest,
    request: FastifyRequest,
  ): Promise<{ zstd: Buffer; unit: string }> {
    const part = stage === 'moments' ? 'measured' : 'corrected'
    for (let tries = 0; tries < 2; tries++) {
      const pack = await this.pack(volume, part, request)
      const found = pack.fields.find((one) => one.sweep === sweep && one.stage === stage && one.name === name)
      if (!found) throw new NotFound('Ce balayage n’a pas cette grandeur à cette étape.')
      const zstd = await pack.read(found)
      if (zstd !== null) return { zstd, unit: found.unit }
      await pack.drop()
    }
    throw new StoreCorruptError(`${stage} ${name} du volume ${volume.id}`)
  }
}

const namesOf = (fields: readonly PackedField[], n: number): SweepFieldName[] =>
  fields.filter(({ sweep }) => sweep === n).map(({ stage, name, unit }) => ({ stage, name, unit }))
