import { FormatError } from '@radx/contracts/errors'

export interface RainSeries {
  ratesMmH: number[]
  intervalS: number
}

const MIN_INTERVAL_S = 1
const MAX_INTERVAL_S = 86_400

/** Seconds of a time: an ISO 8601 instant, hh:mm[:ss], or minutes. */
function seconds(text: string): number {
  const clock = /^(\d{1,3}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 60
  return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) ? Date.parse(text) / 1000 : Number.NaN
}

/**
 * Reads a rain series: a line a step, `time,mm/h`, a header being optional. Times are ISO 8601, hh:mm[:ss] or
 * minutes, at a constant interval; a value holds from its time to the next.
 *
 * @throws FormatError `raincsv.*` with file and line
 */
export function readRainCsv(text: string, file: string): RainSeries {
  const refuse = (code: string, line: number, message: string): never => {
    throw new FormatError(`raincsv.${code}`, `${file}, ligne ${line} : ${message}`, {
      details: { file, line },
    })
  }
  const times: number[] = []
  const ratesMmH: number[] = []
  let intervalS = 0
  text.split(/\r?\n/).forEach((row, k) => {
    if (row.trim() === '' || row.startsWith('#')) return
    const [time, value, ...rest] = row.split(/[,;\t]/).map((cell) => cell.trim())
    const line = k + 1
    const at = seconds(time)
    if (times.length === 0 && Number.isNaN(at)) return
    if (Number.isNaN(at))
      refuse(
        'time',
        line,
        `« ${time.slice(0, 40)} » n’est pas une date : attendre AAAA-MM-JJThh:mm, hh:mm ou des minutes.`,
      )
    const rate = Number(value)
    if (value === undefined || value === '' || Number.isNaN(rate))
      refuse(
        'value',
        line,
        `« ${(value ?? '').slice(0, 40)} » n’est pas une intensité en mm/h. Combler la lacune ou raccourcir la série.`,
      )
    if (rest.some((cell) => cell !== ''))
      refuse('columns', line, 'deux colonnes sont attendues : date et mm/h.')
    if (rate < 0 || rate > 3000)
      refuse('value', line, `${rate} mm/h est impossible : attendre une valeur entre 0 et 3000.`)
    if (times.length === 1) intervalS = at - times[0]
    const step = times.length === 0 ? MIN_INTERVAL_S : at - times[times.length - 1]
    if (step <= 0) refuse('order', line, 'les dates doivent être croissantes.')
    if (times.length > 1 && Math.abs(step - intervalS) > 0.5)
      refuse(
        'gap',
        line,
        `pas de ${step} s au lieu de ${intervalS} s : la série a une lacune. Donner une valeur (0 s’il ne pleut pas) à chaque pas.`,
      )
    times.push(at)
    ratesMmH.push(rate)
  })
  if (times.length < 2) refuse('empty', 1, 'il faut au moins deux lignes « date,mm/h ».')
  if (intervalS < MIN_INTERVAL_S || intervalS > MAX_INTERVAL_S)
    refuse('interval', 1, `un pas de ${intervalS} s n’est pas accepté (1 s à 24 h).`)
  return { ratesMmH, intervalS }
}
