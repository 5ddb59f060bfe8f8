/** What a heading says of the values below it. `mm` is what fell until the next time. */
export type WrittenUnit = 'mm/h' | 'mm/min' | 'mm'

/** Units of the field, and of other countries, that are no millimetres. */
const FOREIGN = /(^|[^a-zà-ÿ])(in|inch|inches|pouces?|cm|dm|µm|l|dbz|dbr)([^a-zà-ÿ]|$)/i
/** Tenths and hundredths of a millimetre. "en mm et 1/10" is millimetres with a decimal. */
const PART_OF_MM = /(?<!et )(1\/100?|0[.,]0?1)\s*mm|(dixi|centi)[eè]mes?\s+de\s+mm/i

/**
 * Unit in a heading; undefined where it says none, null where it says one that is not read.
 * `stepMin` is that of a depth by so many minutes ("mm/6min").
 */
export function unitOf(heading: string): { unit: WrittenUnit; stepMin?: number } | null | undefined {
  const name = heading.toLowerCase().replace(/[\s_().[\]·]/g, '')
  if (PART_OF_MM.test(heading)) return null
  if (/mm\/?mi?n/.test(name)) return { unit: 'mm/min' }
  if (/mm\/?h|mm\*h/.test(name)) return { unit: 'mm/h' }
  const step = /mm(?:\/|en)(\d+)(?:mi?n|')/.exec(name)
  if (step) return { unit: 'mm', stepMin: Number(step[1]) }
  if (/mm\/(?!pas|step)/.test(name)) return null
  if (/mm/.test(name.replace(/comm/g, ''))) return { unit: 'mm' }
  return FOREIGN.test(heading) ? null : undefined
}

/** Fewer lines may grow by chance. */
const FEW = 4

/** Whether values below a heading of sums never fall, so that they are sums since the start and not depths of steps. */
export function isRunningSum(heading: string, values: readonly number[]): boolean {
  return (
    /cum(ul|\b)/i.test(heading) &&
    values.length >= FEW &&
    values[values.length - 1] > values[0] &&
    values.every((value, k) => k === 0 || !(value < values[k - 1]))
  )
}
