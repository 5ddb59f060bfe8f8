import type { BatteryOrderInput } from '@radx/contracts/batteries'
import type { SavedEvent } from '@radx/contracts/events'
import type { OwnRain } from '@radx/contracts/own-rains'
import { BATTERY_LIMITS } from '@radx/contracts/own-rains-constants'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { rainTexts } from '../../../texts/simulation.ts'
import {
  applyPictures,
  chooseFurther,
  chooseRain,
  type FormState,
  formFields,
  INITIAL_FORM,
  setRadarPeriod,
} from '../form/state.ts'

/** A rain of an order. */
export interface BatteryRain {
  title: string
  hours: number
  /** Those of the form that say the rain. */
  fields: Record<string, string>
  /** What of a list it came from, as `event:ID`; null for what was put together. */
  from: string | null
}

/** An order that is being put together, as this visit of the browser keeps it. */
export interface BatteryDraft {
  title: string
  catchmentId: string
  rains: BatteryRain[]
  landUses: string[]
  /** Random, of this draft from its first order on; empty before. */
  key: string
}

export const NO_DRAFT: BatteryDraft = { title: '', catchmentId: '', rains: [], landUses: [], key: '' }

/** Fields of the form that say the rain. */
const RAIN_FIELDS = new Set([
  ...['rainfallSelection', 'rainfallStart', 'rainfallEnd', 'simulationDuration', 'virtualRainShape'],
  ...['virtualParam', 'virtualData', 'virtualSource', 'product', 'transposition', 'ensemble'],
  ...['gaugeRain', 'ownRain'],
])
const TITLE_MAX = 120

/** The rain of a form, without what else the form says. */
const rainFields = (state: FormState): Record<string, string> =>
  Object.fromEntries(formFields({ ...state, luseIdArr: [''] }).filter(([name]) => RAIN_FIELDS.has(name)))

/** The rain that a form holds, named by what it is. */
export const rainOf = (state: FormState, timeZone: string): BatteryRain => ({
  title: titleOf(state, timeZone).slice(0, TITLE_MAX),
  hours: state.simulationDuration,
  fields: rainFields(state),
  from: state.ownRain && state.further === 'pictures' ? `pictures:${state.ownRain.id}` : null,
})

function titleOf(state: FormState, timeZone: string): string {
  const at = (instant: string) => formatDateTimeFr(instant, timeZone)
  if (state.further === 'pictures') return state.ownRain?.name ?? ''
  if (state.further === 'gauge' && state.gaugeRain)
    return texts.gauge(state.gaugeRain.name, at(state.gaugeRain.start))
  if (state.rainfallSelection === 'ev7') return rainTexts.ev7.title
  if (state.rainfallSelection === 'radar') return texts.radar(at(state.rainfallStart), at(state.rainfallEnd))
  if (state.virtualSource !== '') return state.virtualSource
  const shape = state.virtualRainShape === 'double' ? 'double' : 'simple'
  const most = formatQuantityFr(state.virtualParam[shape].iMax, 'mm/h', 1, true)
  return `${rainTexts[shape]}, ${most}`
}

/** A saved period as radar rain. */
export const rainOfEvent = ({
  _id,
  title,
  product,
  selectionDates: { start, end },
}: SavedEvent): BatteryRain => {
  const period = { s: new Date(start).toISOString(), e: new Date(end).toISOString() }
  const state = setRadarPeriod(chooseRain(INITIAL_FORM, 'radar'), product, period)
  return {
    title: title.slice(0, TITLE_MAX),
    hours: state.simulationDuration,
    fields: rainFields(state),
    from: `event:${_id}`,
  }
}

/** Kept pictures of one's own. */
export function rainOfPictures(rain: OwnRain): BatteryRain {
  const state = applyPictures(chooseFurther(INITIAL_FORM, 'pictures'), rain)
  return {
    title: rain.name.slice(0, TITLE_MAX),
    hours: state.simulationDuration,
    fields: rainFields(state),
    from: `pictures:${rain.id}`,
  }
}

const isSame = (a: BatteryRain, b: BatteryRain) =>
  (a.from !== null && a.from === b.from) || JSON.stringify(a.fields) === JSON.stringify(b.fields)

export const hasRain = (rains: readonly BatteryRain[], rain: BatteryRain): boolean =>
  rains.some((other) => isSame(other, rain))

/** With one more rain, under a name that no other has; a rain that is there already is not taken twice. */
export function withRain(rains: readonly BatteryRain[], rain: BatteryRain): BatteryRain[] {
  if (hasRain(rains, rain)) return [...rains]
  const names = new Set(rains.map(({ title }) => title))
  let title = rain.title
  for (let k = 2; names.has(title); k++) title = `${rain.title.slice(0, TITLE_MAX - 5)} (${k})`
  return [...rains, { ...rain, title }]
}

/** What keeps an order from being sent, in words; empty when nothing does. */
export function missingOf({ title, rains, landUses }: BatteryDraft): string[] {
  const runs = rains.length * landUses.length
  const named = rains.every((rain) => rain.title.trim() !== '')
  return [
    ...(title.trim() === '' ? [texts.missing.title] : []),
    ...(rains.length === 0 ? [texts.missing.rains] : []),
    ...(named ? [] : [texts.missing.names]),
    ...(landUses.length === 0 ? [texts.missing.landUses] : []),
    ...(rains.length > BATTERY_LIMITS.rains ? [texts.missing.tooManyRains(BATTERY_LIMITS.rains)] : []),
    ...(landUses.length > BATTERY_LIMITS.landUses
      ? [texts.missing.tooManyMaps(BATTERY_LIMITS.landUses)]
      : []),
    ...(runs > BATTERY_LIMITS.runs ? [texts.missing.tooMany(runs, BATTERY_LIMITS.runs)] : []),
  ]
}

/** What the call takes: the order with what all of its runs have. */
export const orderOf = (
  { title, catchmentId, rains, landUses }: BatteryDraft,
  { soilModule, drainageModule, soilBefore, equations }: FormState,
): BatteryOrderInput => ({
  title: title.trim(),
  catchmentId,
  fields: {
    soilModule: String(soilModule),
    drainageModule: String(drainageModule),
    ...(soilModule && soilBefore !== 'mean' && { soilBefore }),
    ...(equations !== 'auto' && { equations }),
  },
  rains: rains.map((rain) => ({ title: rain.title.trim(), fields: rain.fields })),
  landUses,
})

/** Names an order of a draft: the same for the same order, so that what is sent again is ordered once (FNV-1a). */
export function keyOf(draftKey: string, order: BatteryOrderInput): string {
  const text = JSON.stringify(order)
  let hash = 0x811c9dc5
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193)
  return `${draftKey}-${(hash >>> 0).toString(36)}`
}

/** Time that a machine needs, ms: by its last runs on the catchment, else by cells and steps; null where nothing is known. */
export function machineMs(
  catchment: { recentMsPerHour: readonly number[]; expectedMsPerHour: number | null } | undefined,
  hours: number,
): number | null {
  if (!catchment) return null
  const sorted = catchment.recentMsPerHour.toSorted((a, b) => a - b)
  const perHour = sorted[Math.floor((sorted.length - 1) / 2)] ?? catchment.expectedMsPerHour
  return perHour === null ? null : perHour * hours
}
