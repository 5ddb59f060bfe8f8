import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { type SweepField, writeCfSweep } from '@radx/formats/cf-sweep'
import { joinVolumes } from '@radx/formats/volume/join'
import { readRadarVolumeInWorker } from '@radx/formats/volume/worker'
import { BANDS, type Tuning, tuningNote, tuningOf, tuningOfBand } from '@radx/polarimetry/bands'
import { type SweepSteps, sweepSteps } from '@radx/polarimetry/chain'
import { meanZdr, type ZdrBias, zdrBias } from '@radx/polarimetry/zdr'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { makeOutFolder, unreadable } from './given-paths.ts'

export const command = defineCommand({
  name: 'volume',
  summary: 'corrige un volume polarimétrique étape par étape (phase, KDP, atténuation, pluie)',
  description: [
    'Lit les fichiers d’un même volume (Rainbow 5 par moment, ODIM PVOL ou SCAN, GAMIC, CfRadial 1), les joint,',
    'et écrit steps.json : nombre, moyenne, minimum et maximum de chaque étape, par balayage. Avec --steps, chaque étape',
    'est aussi écrite en CF-netCDF, un fichier par balayage et par étape.',
    'Les coefficients d’atténuation et de pluie sont ceux de la bande (X, C ou S) de la longueur d’onde du fichier.',
    'Ce qui manque, n’a pas la même géométrie, est en désordre ou replié est reconnu et nommé.',
  ].join('\n'),
  options: {
    out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
    steps: { type: 'boolean', help: 'écrit aussi chaque étape en CF-netCDF' },
    band: {
      type: 'string',
      value: 'X|C|S',
      help: 'bande du radar quand le fichier ne dit pas sa longueur d’onde, ou la dit mal',
    },
  },
  positionals: {
    label: 'FICHIER',
    help: 'fichiers d’un même volume',
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  async run({ values, positionals }) {
    if (!values.out) throw new UsageError('il manque --out DOSSIER. radx volume --help donne le détail.')
    const given = values.band === undefined ? null : tuningOfBand(values.band)
    if (values.band !== undefined && !given)
      throw new UsageError(`bande « ${values.band} » inconnue : donnez --band X, C ou S.`)
    const read: RadarVolume[] = []
    for (const path of positionals) read.push(await readVolume(path))
    const volume = joinVolumes(read)
    const out = resolve(values.out)
    await makeOutFolder(out)
    const tuning = given ?? tuningOf(volume.wavelengthM)
    const notes = [...volume.notes, tuningNote(tuning, volume.wavelengthM)]
    // ZDR of light rain differs by no more than 0.03 dB from band to band.
    const bias = zdrBias(volume.sweeps, tuning?.band ?? BANDS[1])
    notes.push(...zdrNotes(volume, bias))
    const sweeps: object[] = []
    for (const [i, sweep] of volume.sweeps.entries()) {
      const steps = sweepSteps(sweep, tuning)
      const where = `balayage ${i + 1}, ${String(Math.round(sweep.elevationDeg * 100) / 100).replace('.', ',')}°`
      notes.push(...steps.notes.map((note) => `${where} : ${note}`))
      const stages = stagesOf(sweep, steps, bias)
      sweeps.push(reportOf(sweep, steps, { stages, tuning, bias }))
      if (values.steps)
        for (const [stage, fields] of Object.entries(stages))
          await writeFile(
            join(out, `sweep_${String(i + 1).padStart(2, '0')}_${stage}.nc`),
            await writeCfSweep(volume, sweep, fields),
          )
    }
    const { format, site, wavelengthM } = volume
    const report = {
      files: positionals.map((path) => basename(path)),
      format,
      site,
      wavelengthM,
      coefficients: tuning && { frequencyGHz: tuning.frequencyGHz, ...tuning.band },
      sweeps,
      notes,
    }
    await writeFile(join(out, 'steps.json'), `${JSON.stringify(report, null, 1)}\n`)
    console.log(`${volume.sweeps.length} balayage(s), résultats dans ${values.out}`)
    for (const note of notes) console.log(note)
    return EXIT.ok
  },
})

async function readVolume(path: string): Promise<RadarVolume> {
  const bytes = await readFile(path).catch((error) => {
    throw unreadable(path, error)
  })
  return readRadarVolumeInWorker(bytes).catch((error: unknown) => {
    if (!(error instanceof FormatError)) throw error
    throw new FormatError(error.code, `${path} : ${error.message}`, { cause: error })
  })
}

/** What became of ZDR, in French. */
function zdrNotes({ sweeps }: RadarVolume, bias: ZdrBias | null): string[] {
  if (!sweeps.some(({ moments }) => moments.ZDR)) return []
  if (!bias) {
    const mean = meanZdr(sweeps) ?? 0
    const said = mean < -0.2 ? ` non étalonnée (moyenne ${mean.toFixed(2).replace('.', ',')} dB)` : ''
    return [`ZDR${said} : pas assez de pluie légère reconnue pour l’étalonner, laissée comme mesurée.`]
  }
  const db = bias.biasDb.toFixed(2).replace('.', ',')
  return [
    `${Math.abs(bias.biasDb) > 0.2 ? 'ZDR non étalonnée' : 'ZDR'} : biais de ${db} dB dans la pluie légère (${bias.gates} portes), retiré (étape zdr ; moments garde l’original).`,
  ]
}

/** Fields of each stage, in the order in which they are made. */
function stagesOf(
  { moments }: RadarSweep,
  steps: SweepSteps,
  bias: ZdrBias | null,
): Record<string, SweepField[]> {
  const field = (name: string, unit: string, longName: string, values: ArrayLike<number>): SweepField => ({
    name,
    unit,
    longName,
    values,
  })
  const stages: Record<string, SweepField[]> = {
    moments: Object.entries(moments).map(([name, moment]) =>
      field(name, moment!.unit || '1', `${name} as measured`, moment!.values),
    ),
    rain_echo: [field('DBZH', 'dBZ', 'reflectivity where the echo is rain', steps.dbz)],
  }
  if (moments.ZDR && bias)
    stages.zdr = [
      field(
        'ZDR',
        'dB',
        'differential reflectivity less its bias in light rain',
        moments.ZDR.values.map((value) => value - bias.biasDb),
      ),
    ]
  const { profile, phidpRain } = steps
  if (profile && phidpRain) {
    stages.rain_echo.push(field('PHIDP', 'degree', 'measured phase where the echo is rain', phidpRain))
    stages.phase = [field('PHIDP', 'degree', 'rebuilt differential phase', profile.phidp)]
    stages.kdp = [field('KDP', 'degree km-1', 'specific differential phase', maskedBy(steps, profile.kdp))]
  }
  for (const [name, made, corrected] of [
    ['zphi_fixed', steps.zphiFixed, steps.dbzFixed],
    ['zphi_self', steps.zphiSelf, steps.dbzSelf],
  ] as const)
    if (made && corrected)
      stages[name] = [
        field('AH', 'dB km-1', 'specific attenuation', made.ah),
        field('PIA', 'dB', 'two-way path integrated attenuation', made.pia),
        field('DBZH', 'dBZ', 'reflectivity corrected for attenuation', corrected),
      ]
  stages.rain = [field('R_Z', 'mm h-1', 'rain of measured reflectivity, Z = 200 R^1.6', steps.rainZ)]
  for (const [name, longName, values] of [
    ['R_Z_CORRECTED', 'rain of corrected reflectivity, Z = 200 R^1.6', steps.rainZCorrected],
    ['R_KDP', 'rain of specific differential phase', steps.rainKdp],
    ['R_A', 'rain of specific attenuation', steps.rainA],
  ] as const)
    if (values) stages.rain.push(field(name, 'mm h-1', longName, values))
  return stages
}

const maskedBy = ({ dbz }: SweepSteps, values: Float64Array): Float64Array =>
  values.map((value, k) => (Number.isFinite(dbz[k]) ? value : Number.NaN))

interface Statistics {
  valid: number
  mean: number | null
  min: number | null
  max: number | null
}

function statistics(values: ArrayLike<number>, counts: (k: number) => boolean = () => true): Statistics {
  let valid = 0
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let k = 0; k < values.length; k++) {
    const value = values[k]
    if (!Number.isFinite(value) || !counts(k)) continue
    valid++
    sum += value
    if (value < min) min = value
    if (value > max) max = value
  }
  return valid === 0 ? { valid, mean: null, min: null, max: null } : { valid, mean: sum / valid, min, max }
}

interface Made {
  stages: Record<string, SweepField[]>
  tuning: Tuning | null
  bias: ZdrBias | null
}

function reportOf(sweep: RadarSweep, steps: SweepSteps, { stages, tuning, bias }: Made): object {
  const { nrays, nbins, elevationDeg, datetime, rangeStepM } = sweep
  const ends = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: nrays }, (_, ray) => values[(ray + 1) * nbins - 1])
  const { profile, dbz } = steps
  const extra: Record<string, object> = {}
  if (bias) extra.zdr = { bias_db: bias.biasDb, light_rain_gates: bias.gates }
  if (profile) {
    extra.phase = {
      system_phidp_deg: Number.isFinite(steps.systemPhaseDeg) ? steps.systemPhaseDeg : null,
      folded_rays: profile.folded,
      phidp_last_gate: statistics(ends(profile.phidp)),
    }
    extra.kdp = {
      kdp_where_dbz20: statistics(profile.kdp, (k) => dbz[k] >= 20),
      kdp_where_dbz40: statistics(profile.kdp, (k) => dbz[k] >= 40),
      ...(steps.fileKdp && {
        kdp_in_file: {
          correlation: steps.fileKdp.correlation,
          rms_difference: steps.fileKdp.rms,
          noise: steps.fileKdp.isNoise,
        },
      }),
    }
  }
  for (const [name, made] of [
    ['zphi_fixed', steps.zphiFixed],
    ['zphi_self', steps.zphiSelf],
  ] as const)
    if (made && tuning)
      extra[name] = {
        ...('found' in made
          ? {
              alpha: statistics(made.alpha),
              rays_searched: made.searched,
              rays_found: made.found,
            }
          : { alpha: tuning.band.alpha }),
        b: tuning.band.b,
        delta_phidp: statistics(made.deltaPhidp),
        // Rain that the phase bounds: beyond both ends nothing is known of it.
        ah: statistics(made.ah, (k) => {
          const bin = k % nbins
          const ray = (k - bin) / nbins
          return Number.isFinite(dbz[k]) && bin >= made.first[ray] && bin <= made.last[ray]
        }),
        pia_end: statistics(ends(made.pia)),
      }
  return {
    elevationDeg,
    datetime,
    rays: nrays,
    bins: nbins,
    gateM: rangeStepM,
    stages: Object.fromEntries(
      Object.entries(stages).map(([stage, fields]) => [
        stage,
        {
          ...Object.fromEntries(fields.map(({ name, values }) => [name, statistics(values)])),
          ...extra[stage],
        },
      ]),
    ),
  }
}
