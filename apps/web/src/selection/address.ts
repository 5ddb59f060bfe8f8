import { civilDay } from '@radx/locale/time'
import { clampMonth } from './calendar.ts'
import { initialSelection, type Selection, type SelectionDate } from './selection.ts'

/** What the site offers to choose from. */
export interface SelectionGround {
  products: readonly { shortName: string; activeStatus: boolean }[]
  defaultProduct: string
  defaultCatchment: string | null
  timeZone: string
  /** Civil day of today at the site, `YYYY-MM-DD`. */
  today: string
}

/** The address says "no catchment" with this, because leaving it out means the default one. */
const NO_CATCHMENT = '-'
const DAY = /^\d{4}-\d{2}-\d{2}$/
const NOTHING: SelectionDate = { date: null, setHour: false }

const isDay = (text: string | null): text is string =>
  text !== null && DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

function readDate(text: string | null): SelectionDate {
  if (isDay(text)) return { date: text, setHour: false }
  const ms = /T/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(ms)
    ? NOTHING
    : { date: new Date(ms).toISOString().replace('.000Z', 'Z'), setHour: true }
}

/**
 * The selection that an address names: `p` product, `c` and `sc` place, `s` and `e` days or instants, `m`
 * month, `d` day. What it leaves out or names wrongly is as at first.
 */
export function selectionOf(params: URLSearchParams, ground: SelectionGround): Selection {
  const start = readDate(params.get('s'))
  const askedEnd = start.setHour ? readDate(params.get('e')) : NOTHING
  const backwards = askedEnd.setHour && Date.parse(askedEnd.date as string) < Date.parse(start.date as string)
  const end = backwards ? NOTHING : askedEnd
  const dayOf = ({ date, setHour }: SelectionDate) =>
    date !== null && setHour ? civilDay(Date.parse(date), ground.timeZone) : date
  const asked = params.get('d')
  const activeDay = isDay(asked) ? asked : (dayOf(end) ?? dayOf(start))
  const month = params.get('m')
  const cursor = month !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : activeDay?.slice(0, 7)
  const product = ground.products.find((p) => p.shortName === params.get('p') && p.activeStatus)
  const catchment = params.get('c') ?? ground.defaultCatchment
  return {
    ...initialSelection(clampMonth(cursor ?? ground.today.slice(0, 7), ground.today)),
    selectedProduct: product?.shortName ?? ground.defaultProduct,
    selectionDates: { start, end },
    activeDay,
    catchment: catchment === NO_CATCHMENT ? null : catchment,
    subcatchment: catchment === NO_CATCHMENT ? null : params.get('sc'),
  }
}

/** Day or instant as the address has it. */
function written({ date, setHour }: SelectionDate, timeZone: string): string | null {
  if (date === null || setHour || isDay(date)) return date
  return civilDay(Date.parse(date), timeZone)
}

/** Writes a selection into an address; what is as at first is left out. */
export function writeSelection(params: URLSearchParams, selection: Selection, ground: SelectionGround): void {
  const { start, end } = selection.selectionDates
  const values = {
    p: selection.selectedProduct === ground.defaultProduct ? null : selection.selectedProduct,
    c: selection.catchment === ground.defaultCatchment ? null : (selection.catchment ?? NO_CATCHMENT),
    sc: selection.subcatchment,
    s: written(start, ground.timeZone),
    e: written(end, ground.timeZone),
    d: selection.activeDay,
    m: selection.dateCursor === ground.today.slice(0, 7) ? null : selection.dateCursor,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
}

/** Query that opens the simulation form with the rain of a period. */
export const rainQuery = (product: string, s: string, e: string) =>
  new URLSearchParams({ pluie: 'radar', p: product, s, e }).toString()
