import { resolve } from 'node:path'
import { toUtcMs } from '@radx/formats/toa5'
import type { AdjustMethod, BiasRule } from '@radx/rainfall/gauges/adjust'
import type { FrameTime } from '@radx/rainfall/gauges/frame-spans'
import type { GaugeUnit } from '@radx/rainfall/gauges/gauge-text'
import { type AdjustRun, runAdjust } from './adjust-run.ts'
import { defineCommand } from './args.ts'
import { type Command, EXIT, UsageError } from './command.ts'

const METHODS: AdjustMethod[] = ['mfb', 'additive', 'multiplicative', 'mixed', 'ked']
const RULES: BiasRule[] = ['sum', 'median', 'mean', 'regression']
const TIMES: FrameTime[] = ['start', 'middle', 'end']
const UNITS: GaugeUnit[] = ['mm', 'mm/h', 'total', 'tips']

const OPTIONS = {
  radar: {
    type: 'string',
    value: 'FICHIER...',
    help: 'images ODIM HDF5, Rainbow 5 ou netCDF-4 d’un même produit',
  },
  gauges: {
    type: 'string',
    value: 'FICHIER.csv',
    help: 'temps, pluviomètre, longitude, latitude (ou x, y), pluie',
  },
  method: { type: 'string', value: 'MÉTHODE', help: `parmi ${METHODS.join(', ')}` },
  out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
  bias: { type: 'string', value: 'RÈGLE', help: `facteur de mfb : ${RULES.join(', ')} (sum)` },
  limits: { type: 'string', value: 'MIN,MAX', help: 'bornes des facteurs (0.1,10)' },
  cells: {
    type: 'string',
    value: 'N',
    help: 'mailles autour d’un pluviomètre, dont la médiane compte (9)',
  },
  'min-gauges': { type: 'string', value: 'N', help: 'pluviomètres sans lesquels rien n’est ajusté (5)' },
  min: { type: 'string', value: 'MM', help: 'ne prend que les paires qui atteignent cette pluie (0)' },
  unit: {
    type: 'string',
    value: 'UNITÉ',
    help: `des pluviomètres : ${UNITS.join(', ')} (l’en-tête, sinon mm)`,
  },
  tip: { type: 'string', value: 'MM', help: 'lame d’un basculement d’auget (0.2)' },
  'time-zone': {
    type: 'string',
    value: 'FUSEAU',
    help: 'des heures sans décalage, comme Europe/Paris (UTC)',
  },
  interval: { type: 'string', value: 'MIN', help: 'durée d’une mesure (celle entre deux mesures)' },
  'frame-time': {
    type: 'string',
    value: 'QUAND',
    help: 'l’heure d’une image : start, middle, end (reconnue)',
  },
  force: { type: 'boolean', help: 'ajuste aussi des images que leur fichier dit déjà ajustées' },
} as const

const build = (radar: string[]) =>
  defineCommand({
    name: 'adjust',
    summary: 'ajuste des images de pluie à des pluviomètres',
    description: [
      'Compare les images aux pluviomètres sur les temps où les deux disent quelque chose, ajuste, et écrit dans le dossier',
      'de sortie les images ajustées (ODIM HDF5) et scores.json : facteur, écarts avant et après, validation croisée',
      '(chaque pluviomètre estimé par les autres). Les originaux restent ce qu’ils sont. Les heures du fichier de',
      'pluviomètres sont en UTC sauf si elles disent leur décalage ; une mesure vaut pour l’intervalle qui finit à son heure.',
      'Ni base de données ni serveur ne sont nécessaires.',
    ].join('\n'),
    options: OPTIONS,
    positionals: { label: 'FICHIER', help: 'images, comme --radar', min: 0, max: Number.POSITIVE_INFINITY },
    async run({ values, positionals }) {
      const missing = ['gauges', 'method', 'out'].find((name) => !values[name as 'gauges' | 'method' | 'out'])
      if (missing) throw new UsageError(`il manque --${missing}. radx adjust --help donne le détail.`)
      const paths = [...radar, ...positionals]
      if (paths.length === 0)
        throw new UsageError('il manque --radar FICHIER... radx adjust --help donne le détail.')
      const options: AdjustRun = {
        radar: paths.map((path) => resolve(path)),
        gauges: resolve(values.gauges!),
        out: resolve(values.out!),
        method: oneOf('method', values.method!, METHODS),
        bias: values.bias === undefined ? undefined : oneOf('bias', values.bias, RULES),
        limits: values.limits === undefined ? undefined : limitsOf(values.limits),
        nearestCells: whole('cells', values.cells, 100),
        minGauges: whole('min-gauges', values['min-gauges'], 1000),
        minValue: number('min', values.min, 0, 100),
        unit: values.unit === undefined ? undefined : oneOf('unit', values.unit, UNITS),
        tipMm: number('tip', values.tip, 0.001, 10),
        timeZone: values['time-zone'] === undefined ? undefined : zoneOf(values['time-zone']),
        intervalMin: number('interval', values.interval, 0.1, 44640),
        frameTime:
          values['frame-time'] === undefined ? undefined : oneOf('frame-time', values['frame-time'], TIMES),
        force: values.force ?? false,
        onProgress: showProgress,
      }
      const { summary, notes, adjusted } = await runAdjust(options)
      for (const note of notes) console.error(`Attention : ${note}`)
      console.log(summary)
      return adjusted ? EXIT.ok : EXIT.failed
    },
  })

function showProgress(share: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\rimages : ${Math.floor(share * 100)} %${share >= 1 ? '\n' : ''}`)
}

export const command: Command = {
  summary: build([]).summary,
  run(args) {
    const { radar, rest } = takeRadar(args)
    return build(radar).run(rest)
  },
}

/** `--radar` takes every file up to the next option; it may come again. */
function takeRadar(args: string[]): { radar: string[]; rest: string[] } {
  const radar: string[] = []
  const rest: string[] = []
  let taking = false
  for (const word of args) {
    if (word === '--radar') taking = true
    else if (word.startsWith('--radar=')) radar.push(word.slice('--radar='.length))
    else if (word.startsWith('-')) {
      taking = false
      rest.push(word)
    } else (taking ? radar : rest).push(word)
  }
  return { radar, rest }
}

function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text)
  if (found === undefined) throw new UsageError(`--${name} vaut « ${text} » : donnez ${values.join(', ')}.`)
  return found
}

function number(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text.replace(',', '.'))
  if (!(value >= least && value <= most))
    throw new UsageError(`--${name} vaut « ${text} » : donnez un nombre de ${least} à ${most}.`)
  return value
}

function whole(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > most)
    throw new UsageError(`--${name} vaut « ${text} » : donnez un nombre entier de 1 à ${most}.`)
  return Number(text)
}

function zoneOf(text: string): string {
  try {
    toUtcMs(Float64Array.of(0), text)
    return text
  } catch {
    throw new UsageError(`--time-zone vaut « ${text} » : donnez un fuseau comme Europe/Paris ou Etc/GMT-1.`)
  }
}

function limitsOf(text: string): [number, number] {
  const [least, most, ...rest] = text.split(',').map(Number)
  if (rest.length > 0 || !(least >= 0 && most > least))
    throw new UsageError(`--limits vaut « ${text} » : donnez deux nombres croissants, comme 0.1,10.`)
  return [least, most]
}
