import type { SewerLink, SewerOrifice, SewerTable, SewerWeir } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { type SectionTable, tableAt } from '../sections/section-table.ts'

/** Flow of a regulator for the heads at its ends (m, absolute), m3/s, positive from `from` to `to`. */
export type DeviceLaw = (headFrom: number, headTo: number, setting: number) => number

/**
 * Heads closer than this, and heads over a crest below it, give a flow in proportion: roots have no slope at 0, tables may
 * begin with a jump, and Newton's method needs one.
 */
const LINEAR_HEAD_M = 0.01
/** Over this last share of its opening a device passes from a weir's flow to an orifice's: the two differ when drowned. */
const CROWN_SHARE = 0.05

/** Value of a table at x, linear between points; outside, its first and last value. */
export function tableLookup(table: SewerTable, x: number): number {
  const n = table.x.length
  if (x <= table.x[0]) return table.y[0]
  if (x >= table.x[n - 1]) return table.y[n - 1]
  let i = 1
  while (table.x[i] < x) i++
  const share = (x - table.x[i - 1]) / (table.x[i] - table.x[i - 1])
  return table.y[i - 1] + share * (table.y[i] - table.y[i - 1])
}

/** Table of steps: the value of the first point whose x lies above. */
export function tableInterval(table: SewerTable, x: number): number {
  const i = table.x.findIndex((at) => x < at)
  return table.y[i < 0 ? table.y.length - 1 : i]
}

/**
 * Law of an orifice, weir or outlet; null for what has no law of the heads alone (pumps, dummy conduits).
 * Formulas: SWMM Reference Manual II, chapter 6.
 * @param crestM elevation of the crest, m
 */
export function deviceLaw(link: SewerLink, section: SectionTable | null, crestM: number): DeviceLaw | null {
  if (link.kind === 'orifice' && section) return orificeLaw(link, section, crestM)
  if (link.kind === 'weir' && section)
    return link.form === 'roadway' ? roadwayLaw(link, section, crestM) : weirLaw(link, section, crestM)
  if (link.kind === 'outlet') {
    const { rating, basis } = link
    const flow = (head: number) =>
      rating.type === 'functional'
        ? rating.coefficient * head ** rating.exponent
        : Math.max(0, tableLookup(rating.table, head))
    const eased = (head: number) =>
      head < LINEAR_HEAD_M ? (flow(LINEAR_HEAD_M) * head) / LINEAR_HEAD_M : flow(head)
    return bothWays((high, low, setting) => {
      const head = basis === 'head' ? high - Math.max(low, crestM) : high - crestM
      return head > 0 ? setting * eased(head) : 0
    })
  }
  return null
}

/**
 * Swaps the ends for backflow. Where the heads are nearly equal the flow is in proportion to their difference, up to what it
 * is at the upper head and LINEAR_HEAD_M of difference: no law jumps or stands upright where heads cross.
 */
function bothWays(law: (high: number, low: number, setting: number, forward: boolean) => number): DeviceLaw {
  const rising = (high: number, low: number, setting: number, forward: boolean) => {
    const difference = high - low
    if (difference >= LINEAR_HEAD_M) return law(high, low, setting, forward)
    return (law(high, high - LINEAR_HEAD_M, setting, forward) * difference) / LINEAR_HEAD_M
  }
  return (from, to, setting) =>
    from >= to ? rising(from, to, setting, true) : -rising(to, from, setting, false)
}

/** 0 below the last share of an opening, 1 from its crown on. */
const crownShare = (fill: number) => Math.min(1, Math.max(0, (fill - 1 + CROWN_SHARE) / CROWN_SHARE))

/** Submergence of a weir (Villemonte 1947). */
const villemonte = (high: number, low: number, crest: number, power: number) =>
  low > crest ? (1 - Math.min(1, (low - crest) / (high - crest)) ** power) ** 0.385 : 1

function orificeLaw(link: SewerOrifice, section: SectionTable, crest: number): DeviceLaw {
  const bottom = link.orientation === 'bottom'
  const width = section.maxWidthM
  return bothWays((high, low, setting) => {
    const opening = setting * section.fullDepthM
    if (!(opening > 0) || !(high > crest)) return 0
    const area = tableAt(section, opening, 0)
    const coefficient = link.dischargeCoefficient * area * Math.sqrt(2 * GRAVITY)
    // A bottom orifice is a weir along its rim until Cd/0.414 times area over perimeter.
    const overLength =
      link.section.shape === 'CIRCULAR' ? opening / 4 : (opening * width) / (2 * (opening + width))
    const critical = bottom ? (link.dischargeCoefficient / 0.414) * overLength : opening
    const criticalHead = bottom ? critical : opening / 2
    const orificeHead = bottom ? high - Math.max(low, crest) : high - Math.max(low, crest + opening / 2)
    const fill = (bottom ? orificeHead : high - crest) / critical
    const asOrifice = () => {
      if (!(orificeHead > 0)) return 0
      const flow = coefficient * Math.sqrt(orificeHead)
      if (!link.flapGate) return flow
      return coefficient * Math.sqrt(Math.max(0, orificeHead - flapLoss(flow / area, orificeHead)))
    }
    const asWeir = () => {
      const weir = (share: number) => coefficient * Math.sqrt(criticalHead) * share ** 1.5
      const share = Math.min(1, fill)
      const loss = link.flapGate ? flapLoss(weir(share) / area, share * critical) / critical : 0
      return weir(Math.max(0, share - loss)) * villemonte(high, low, crest, 1.5)
    }
    const full = crownShare(fill)
    return (full > 0 ? full * asOrifice() : 0) + (full < 1 ? (1 - full) * asWeir() : 0)
  })
}

/** Head that a flap gate takes (Armco 1978). */
const flapLoss = (speed: number, head: number) =>
  (4 / GRAVITY) * speed * speed * Math.exp((-1.15 * (speed / 0.3048)) / Math.sqrt(head / 0.3048))

function weirLaw(link: SewerWeir, section: SectionTable, crest: number): DeviceLaw {
  const height = section.fullDepthM
  const form = link.form
  const width = (y: number) => tableAt(section, y, 1)
  const sideSlope =
    form === 'vnotch'
      ? link.section.dims[1] / link.section.dims[0] / 2
      : (link.section.dims[2] + link.section.dims[3]) / 2
  const free = (head: number, setting: number, forward: boolean): [number, number] => {
    const coefficient = link.coefficientCurve ? tableLookup(link.coefficientCurve, head) : link.coefficient
    const length = Math.max(0, link.section.dims[1] - 0.1 * link.endContractions * head)
    if (form === 'sideflow' && forward) return [coefficient * length ** 0.83 * head ** 1.67, 0]
    if (form === 'transverse' || form === 'sideflow') return [coefficient * length * head ** 1.5, 0]
    if (form === 'vnotch' && setting >= 1) return [coefficient * sideSlope * head ** 2.5, 0]
    const bottom =
      form === 'trapezoidal' && setting >= 1 ? link.section.dims[1] : width((1 - setting) * height)
    return [coefficient * bottom * head ** 1.5, link.endCoefficient * sideSlope * head ** 2.5]
  }
  const powers = { transverse: 1.5, sideflow: 5 / 3, vnotch: 2.5, trapezoidal: 1.5, roadway: 1.5 }
  const area = (setting: number, head: number) => {
    const from = (1 - setting) * height
    return tableAt(section, Math.min(height, from + head), 0) - tableAt(section, from, 0)
  }
  return bothWays((high, low, setting, forward) => {
    const crown = crest + height
    const edge = crest + (1 - setting) * height
    const opening = crown - edge
    if (!(high > edge) || !(opening > 0)) return 0
    const asWeir = () => {
      const head = Math.min(high - edge, opening)
      const loss = (at: number) => {
        const [a, b] = free(at, setting, forward)
        return flapLoss((a + b) / area(setting, at), at)
      }
      const [centre, ends] = free(link.flapGate ? Math.max(0, head - loss(head)) : head, setting, forward)
      return centre * villemonte(high, low, edge, powers[form]) + ends * villemonte(high, low, edge, 2.5)
    }
    const asOrifice = () => {
      const [a, b] = free(opening, setting, true)
      const coefficient = (a + b) / Math.sqrt(opening / 2)
      const head = high - Math.max(low, (edge + crown) / 2)
      if (!(head > 0)) return 0
      const flow = coefficient * Math.sqrt(head)
      if (!link.flapGate) return flow
      const loss = flapLoss(flow / area(setting, opening), opening)
      return coefficient * Math.sqrt(Math.max(0, head - loss))
    }
    const full = link.canSurcharge ? crownShare((high - edge) / opening) : 0
    return (full > 0 ? full * asOrifice() : 0) + (full < 1 ? (1 - full) * asWeir() : 0)
  })
}

type Points = [number, number][]
const points = (table: Points): SewerTable => ({
  name: '',
  x: table.map((p) => p[0]),
  y: table.map((p) => p[1]),
})

/** Road embankments (FHWA/RD-86/108, figure 10): coefficients in ft^0.5/s against head in ft, or head over width. */
const ROAD = {
  paved: {
    low: points([
      [0, 2.85],
      [0.2, 2.95],
      [0.7, 3.03],
      [4, 3.05],
    ]),
    high: points([
      [0.15, 3.05],
      [0.25, 3.1],
    ]),
    submergence: points([
      [0.8, 1],
      [0.85, 0.98],
      [0.9, 0.92],
      [0.93, 0.85],
      [0.95, 0.8],
      [0.97, 0.7],
      [0.98, 0.6],
      [0.99, 0.5],
      [1, 0.4],
    ]),
  },
  gravel: {
    low: points([
      [0, 2.5],
      [0.5, 2.7],
      [1, 2.8],
      [1.5, 2.9],
      [2, 2.98],
      [2.5, 3.02],
      [3, 3.03],
      [4, 3.05],
    ]),
    high: points([
      [0.15, 2.95],
      [0.3, 3.1],
    ]),
    submergence: points([
      [0.75, 1],
      [0.8, 0.985],
      [0.83, 0.97],
      [0.86, 0.93],
      [0.89, 0.9],
      [0.9, 0.87],
      [0.92, 0.8],
      [0.94, 0.7],
      [0.96, 0.6],
      [0.98, 0.5],
      [0.99, 0.4],
      [1, 0.24],
    ]),
  },
}

/** Coefficient of a road at a head over it, m^0.5/s; `drownedM`: how far the lower water stands above the crest, m. */
export function roadwayCoefficient(link: SewerWeir, headM: number, drownedM: number): number {
  const table = link.roadWidthM > 0 && link.roadSurface ? ROAD[link.roadSurface] : null
  if (!table) return link.coefficient
  const share = headM / link.roadWidthM
  const us = share <= 0.15 ? tableLookup(table.low, headM / 0.3048) : tableLookup(table.high, share)
  const drowned = drownedM > 0 ? tableLookup(table.submergence, drownedM / headM) : 1
  return us * drowned * Math.sqrt(0.3048)
}

function roadwayLaw(link: SewerWeir, section: SectionTable, crest: number): DeviceLaw {
  const length = section.maxWidthM
  return bothWays((high, low) => {
    const head = high - crest
    return head > 0 ? roadwayCoefficient(link, head, low - crest) * length * head ** 1.5 : 0
  })
}
