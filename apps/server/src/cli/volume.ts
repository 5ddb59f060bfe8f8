import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { FormatError } from '@radx/contracts/errors'
import type { RadarVolume } from '@radx/contracts/radar-volume'
import { writeCfSweep } from '@radx/formats/cf-sweep'
import { joinVolumes } from '@radx/formats/volume/join'
import { readRadarVolumeInWorker } from '@radx/formats/volume/worker'
import { tuningNote, tuningOf, tuningOfBand } from '@radx/polarimetry/bands'
import { clutterMaps } from '@radx/polarimetry/clutter'
import {
  type MeltingLayer,
  meltingLayerFromFreezingLevel,
  meltingLayerFromTemperature,
} from '@radx/polarimetry/melting'
import type { NoPhaseMethod } from '@radx/polarimetry/no-phase'
import { rainOfVolume } from '@radx/polarimetry/rain-chain'
import { stagesOf } from '../sweeps/stages.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { makeOutFolder, unreadable } from './given-paths.ts'
import { reportOf } from './volume-stages.ts'

export const command = defineCommand({
  name: 'volume',
  summary: 'corrige un volume polarimétrique étape par étape (phase, KDP, atténuation, pluie)',
  description: [
    'Lit les fichiers d’un même volume (Rainbow 5 par moment, ODIM PVOL ou SCAN, GAMIC, CfRadial 1), les joint,',
    'et écrit steps.json : nombre, moyenne, minimum et maximum de chaque étape, par balayage. Avec --steps, chaque étape',
    'est aussi écrite en CF-netCDF, un fichier par balayage et par étape : moments, écho de pluie, phase, KDP, ZPHI, échos',
    'fixes, atténuation, classes d’hydrométéores, pluie par chaque relation, pluie retenue (estimate) et sa qualité de 0 à 1.',
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
    'freezing-level': {
      type: 'string',
      value: 'M',
      help: 'altitude de l’isotherme 0 °C, en m ; sans elle, la bande brillante est cherchée dans le volume',
    },
    temperature: {
      type: 'string',
      value: '°C',
      help: 'température au niveau du radar, d’où l’isotherme 0 °C est déduite (6,5 °C par km)',
    },
    dry: {
      type: 'string',
      value: 'FICHIER',
      help: 'volume d’un jour sec, d’où la carte des échos fixes est apprise',
    },
    'no-phase': {
      type: 'string',
      value: 'MÉTHODE',
      help: 'atténuation sans phase : modified-kraemer (par défaut), kraemer ou hitschfeld-bordan',
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
    const noPhase = noPhaseOf(values['no-phase'])
    const volume = joinVolumes(await readAll(positionals))
    const melting = meltingOf(values, volume)
    const dry = await readAll(values.dry === undefined ? [] : [values.dry])
    const out = resolve(values.out)
    await makeOutFolder(out)
    const tuning = given ?? tuningOf(volume.wavelengthM)
    const made = rainOfVolume(volume, {
      tuning,
      melting,
      noPhase,
      clutter: clutterMaps(dry.flatMap(({ sweeps }) => sweeps)),
      ...(volume.beamWidthDeg && { beamWidthDeg: volume.beamWidthDeg }),
    })
    const notes = [...volume.notes, tuningNote(tuning, volume.wavelengthM), ...made.notes]
    const sweeps: object[] = []
    for (const [i, one] of made.sweeps.entries()) {
      const stages = stagesOf(one, made.bias)
      sweeps.push(reportOf(one, { stages, tuning, bias: made.bias }))
      if (values.steps)
        for (const [stage, fields] of Object.entries(stages))
          await writeFile(
            join(out, `sweep_${String(i + 1).padStart(2, '0')}_${stage}.nc`),
            await writeCfSweep(volume, one.sweep, fields),
          )
    }
    const { format, site, wavelengthM } = volume
    const report = {
      files: positionals.map((path) => basename(path)),
      format,
      site,
      wavelengthM,
      meltingLayer: made.melting,
      verticalProfile: made.profile && {
        source: made.profile.source,
        stepM: made.profile.stepM,
        offsetDb: [...made.profile.offsetDb],
      },
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

async function readAll(paths: readonly string[]): Promise<RadarVolume[]> {
  const read: RadarVolume[] = []
  for (const path of paths) read.push(await readVolume(path))
  return read
}

const NO_PHASE: readonly NoPhaseMethod[] = ['modified-kraemer', 'kraemer', 'hitschfeld-bordan']

function noPhaseOf(text: string | undefined): NoPhaseMethod {
  const method = NO_PHASE.find((one) => one === (text ?? NO_PHASE[0]))
  if (!method) throw new UsageError(`méthode « ${text} » inconnue : --no-phase prend ${NO_PHASE.join(', ')}.`)
  return method
}

/** What the caller knows of the melting layer; null where nothing. */
function meltingOf(
  values: { 'freezing-level'?: string; temperature?: string },
  { site }: RadarVolume,
): MeltingLayer | null {
  const { 'freezing-level': level, temperature } = values
  if (level !== undefined && temperature !== undefined)
    throw new UsageError('--freezing-level et --temperature s’excluent : donnez l’une ou l’autre.')
  if (level !== undefined)
    return meltingLayerFromFreezingLevel(numberWithin('--freezing-level', level, [-1000, 8000], 'm'))
  if (temperature === undefined) return null
  return meltingLayerFromTemperature(
    numberWithin('--temperature', temperature, [-50, 50], '°C'),
    site.altitudeM ?? 0,
  )
}

function numberWithin(option: string, text: string, [from, to]: [number, number], unit: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
  if (!(value >= from && value <= to))
    throw new UsageError(`${option} ${text} : attendu un nombre de ${from} à ${to} ${unit}.`)
  return value
}
