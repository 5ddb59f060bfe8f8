import type { RunoffModel, SewerNetwork } from '@radx/contracts'
import { FormatError } from '@radx/contracts'
import type { InpUnits } from '@radx/formats/inp/units'

/** Rain and inflows of one run of a batch. */
export interface Forcing {
  /** Column titles, without the time. */
  names: string[]
  timesS: number[]
  /** [column][row]. */
  values: number[][]
}

/** Seconds in each unit that the time column may have; `minute` is that of `radx storm`. */
const TIME_UNITS: Record<string, number> = { time_s: 1, time_min: 60, minute: 60, time_h: 3600 }
/** Columns that are rain everywhere; `mm_h` is that of `radx storm`. */
const RAIN = ['rain', 'mm_h']

/**
 * Reads a CSV of rain or inflows: first line `time_s` (or `time_min`, `time_h`, `time` with ISO moments) and the names of
 * columns, then a line a moment, ascending. Separators , ; or tab; decimal points (with ; also commas).
 * @param startEpochS start of the simulation, for ISO moments
 * @throws FormatError with file, line and remedy
 */
export function readForcing(text: string, file: string, startEpochS: number): Forcing {
  const fail = (line: number, why: string) =>
    new FormatError('batch.csv', `${file}, ligne ${line} : ${why}`, { details: { file, line } })
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
  const head = lines[0]
  if (!head)
    throw fail(
      1,
      'le fichier est vide. Écrivez une ligne de titres : time_s puis rain, un pluviographe ou un nœud.',
    )
  const separator = [';', '\t', ','].find((one) => head.line.includes(one))
  if (!separator)
    throw fail(head.number, 'une seule colonne. Séparez le temps et les valeurs par une virgule.')
  const cells = (line: string) => line.split(separator).map((one) => one.trim().replace(/^"(.*)"$/, '$1'))
  const [time, ...names] = cells(head.line)
  const unit = TIME_UNITS[time.toLowerCase()]
  const iso = time.toLowerCase() === 'time'
  if (!unit && !iso)
    throw fail(
      head.number,
      `la première colonne s'appelle « ${time} ». Nommez-la time_s, time_min, time_h ou time (dates ISO).`,
    )
  const timesS: number[] = []
  const values: number[][] = names.map(() => [])
  const number = (word: string) =>
    word === '' ? Number.NaN : Number(separator === ';' ? word.replace(',', '.') : word)
  for (const { line, number: at } of lines.slice(1)) {
    const [moment, ...row] = cells(line)
    const seconds = iso
      ? Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(moment) ? moment : `${moment.replace(' ', 'T')}Z`) / 1000 -
        startEpochS
      : number(moment) * unit
    if (!Number.isFinite(seconds)) throw fail(at, `« ${moment} » n'est pas un temps. Corrigez-le.`)
    if (timesS.length > 0 && seconds <= timesS[timesS.length - 1])
      throw fail(at, 'les temps ne croissent pas. Rangez les lignes.')
    if (row.length !== names.length)
      throw fail(at, `${row.length} valeur(s) pour ${names.length} colonne(s). Complétez la ligne.`)
    timesS.push(seconds)
    row.forEach((word, k) => {
      const value = number(word)
      if (!Number.isFinite(value)) throw fail(at, `« ${word} » n'est pas un nombre. Corrigez cette valeur.`)
      values[k].push(value)
    })
  }
  if (timesS.length === 0) throw fail(head.number, 'aucune valeur sous les titres. Ajoutez des lignes.')
  return { names, timesS, values }
}

/**
 * Puts a forcing into a model: `rain` is for all gages and a gage's name for it (mm/h, each value until the next moment;
 * the last as long as the one before), a node's name an inflow in the file's unit (linear), in place of what the file has.
 * @throws FormatError for a column that is nothing in the model
 */
export function applyForcing(
  { names, timesS, values }: Forcing,
  file: string,
  model: { network: SewerNetwork; runoff: RunoffModel | null; units: InpUnits },
): void {
  const { network, runoff, units } = model
  const intervalS = Math.max(1, ...timesS.slice(1).map((t, i) => t - timesS[i]))
  names.forEach((name, k) => {
    const gages = (runoff?.gages ?? []).filter(
      (gage) => RAIN.includes(name.toLowerCase()) || gage.name.toLowerCase() === name.toLowerCase(),
    )
    if (gages.length > 0) {
      for (const gage of gages) {
        gage.intervalS = intervalS
        gage.startsS = timesS
        gage.rates = values[k].map((value) => value / 1000 / 3600)
      }
      return
    }
    const node = network.nodes.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!node)
      throw new FormatError(
        'batch.column',
        `${file}, ligne 1 : « ${name} » n'est ni rain, ni un pluviographe, ni un nœud de ce fichier. Corrigez le titre de la colonne.`,
        { details: { file, line: 1 } },
      )
    const series = { name, timesS, values: values[k].map((value) => value * units.flowFactor) }
    node.inflows = [{ series, scale: 1, baselineM3S: 0, patterns: [] }]
  })
}

/** Lets one series fall on all gages from the start: `mmH[k]` for `stepS` from `k * stepS` on. */
export function rainEverywhere({ gages }: RunoffModel, stepS: number, mmH: readonly number[]): void {
  const startsS = mmH.map((_, k) => k * stepS)
  const rates = mmH.map((rate) => rate / 1000 / 3600)
  for (const gage of gages) Object.assign(gage, { intervalS: stepS, startsS, rates })
}
