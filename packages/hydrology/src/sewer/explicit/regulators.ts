import type { SewerLink, SewerNetwork, SewerOrifice, SewerOutlet, SewerWeir } from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import { roadwayCoefficient, tableLookup } from '../devices/devices.ts'
import type { SewerPlan } from '../network/plan.ts'
import { type SectionTable, tableAt } from '../sections/section-table.ts'
import { FILM_M, ORIFICE_LENGTH_M } from './limits.ts'

/** What a regulator carries at the heads of a trial. */
export interface Passage {
  /** m3/s, positive from `from` to `to`. */
  flow: number
  /** How the flow grows with the head before it, m2/s. */
  slope: number
  /** Surface that it brings its two nodes together, m2. */
  surface: number
  /** Whether water falls free behind it: 1 at `to`, -1 at `from`, 0 nowhere. */
  falls: number
}

/**
 * Law of a regulator as it stands in EPA SWMM, jumps and all (SWMM Reference Manual II, chapter 6): the explicit scheme needs no slopes
 * that are finite.
 * @param depthFrom depth of the node at `from`, m; heads in m, setting 0 to 1
 */
export type RegulatorLaw = (
  passage: Passage,
  headFrom: number,
  headTo: number,
  depthFrom: number,
  depthTo: number,
  setting: number,
) => void

/** Law of a link; null for pumps and dummy conduits. */
export function regulatorLaw(network: SewerNetwork, plan: SewerPlan, index: number): RegulatorLaw | null {
  const link = network.links[index]
  const section = plan.sections[index]
  if (link.kind === 'outlet') return outletLaw(link, crestOf(network, link))
  if (link.kind === 'orifice' && section)
    return orificeLaw(link, section, crestOf(network, link), network.options.routingStepS)
  if (link.kind === 'weir' && section)
    return link.form === 'roadway'
      ? roadwayLaw(link, section, crestOf(network, link))
      : weirLaw(link, section, crestOf(network, link))
  return null
}

/** Elevation of a crest, m: one below the lower node's bottom is raised to it. */
function crestOf({ nodes }: SewerNetwork, link: Extract<SewerLink, { offsetM: number }>): number {
  return Math.max(nodes[link.from].invertM + Math.max(0, link.offsetM), nodes[link.to].invertM)
}

function nothing(passage: Passage): void {
  passage.flow = 0
  passage.slope = 0
  passage.surface = 0
  passage.falls = 0
}

/** Head that a flap gate takes (Armco 1978), m. */
const flapLoss = (speed: number, head: number) =>
  (4 / GRAVITY) * speed * speed * Math.exp((-1.15 * (speed / 0.3048)) / Math.sqrt(head / 0.3048))

/** Share of a weir's flow that is left when it is drowned (Villemonte 1947). */
const villemonte = (high: number, low: number, crest: number, power: number) =>
  low > crest ? Math.max(0, 1 - ((low - crest) / (high - crest)) ** power) ** 0.385 : 1

function outletLaw({ rating, basis, flapGate }: SewerOutlet, crest: number): RegulatorLaw {
  const rated = (head: number) =>
    rating.type === 'functional'
      ? rating.coefficient * head ** rating.exponent
      : tableLookup(rating.table, head)
  return (passage, h1, h2, y1, y2, setting) => {
    nothing(passage)
    const forward = h1 >= h2
    const high = forward ? h1 : h2
    const low = forward ? h2 : h1
    const head = basis === 'depth' ? high - crest : high - Math.max(low, crest)
    if (head <= FILM_M || (forward ? y1 : y2) <= FILM_M || (flapGate && !forward)) return
    passage.falls = crest > low ? (forward ? 1 : -1) : 0
    passage.flow = (forward ? 1 : -1) * setting * rated(head)
  }
}

function orificeLaw(link: SewerOrifice, section: SectionTable, crest: number, stepS: number): RegulatorLaw {
  const { dischargeCoefficient, flapGate } = link
  const bottom = link.orientation === 'bottom'
  const round = link.section.shape === 'CIRCULAR'
  const length = Math.max(ORIFICE_LENGTH_M, 2 * stepS * Math.sqrt(GRAVITY * section.fullDepthM))
  let known = Number.NaN
  let opening = 0
  let area = 0
  let asOrifice = 0
  let asWeir = 0
  let critical = 0
  const set = (setting: number) => {
    if (setting === known) return
    known = setting
    opening = setting * section.fullDepthM
    area = tableAt(section, opening, 0)
    const width = section.maxWidthM
    const overLength = round ? opening / 4 : (opening * width) / (2 * (opening + width))
    critical = bottom ? (dischargeCoefficient / 0.414) * overLength : opening
    asOrifice = dischargeCoefficient * area * Math.sqrt(2 * GRAVITY)
    asWeir = asOrifice * Math.sqrt(bottom ? critical : opening / 2)
  }
  const free = (passage: Passage, head: number, fill: number, gated: boolean): number => {
    passage.slope = 0
    if (!(head > 0) || !(fill > 0)) return 0
    let flow: number
    if (fill < 1) {
      flow = asWeir * fill ** 1.5
      passage.slope = (1.5 * flow) / (fill * critical)
    } else {
      flow = asOrifice * Math.sqrt(head)
      passage.slope = flow / (2 * head)
    }
    if (!gated) return flow
    const loss = flapLoss(flow / area, head)
    return fill < 1
      ? free(passage, head, Math.max(0, fill - loss / critical), false)
      : free(passage, Math.max(0, head - loss), fill, false)
  }
  return (passage, h1, h2, y1, y2, setting) => {
    nothing(passage)
    set(setting)
    const forward = h1 >= h2
    const high = forward ? h1 : h2
    const low = forward ? h2 : h1
    let fill = 1
    let head: number
    if (bottom) {
      head = high < crest ? 0 : low > crest ? high - low : high - crest
      fill = Math.min(1, head / critical)
    } else {
      const middle = crest + opening / 2
      if (high < crest + opening && opening > 0) fill = (high - crest) / opening
      head = fill < 1 ? high - crest : low < middle ? high - middle : high - low
    }
    if (!(head > FILM_M) || (forward ? y1 : y2) <= FILM_M || (flapGate && !forward)) {
      passage.surface = FILM_M * length
      return
    }
    passage.falls = crest > low ? (forward ? 1 : -1) : 0
    passage.surface = bottom ? area : tableAt(section, opening * fill, 1) * length
    let flow = free(passage, head, fill, flapGate)
    if (fill < 1 && low > crest) flow *= villemonte(high, low, crest, 1.5)
    passage.flow = forward ? flow : -flow
  }
}

const POWERS = { transverse: 1.5, sideflow: 5 / 3, vnotch: 2.5, trapezoidal: 1.5, roadway: 1.5 }

function weirLaw(link: SewerWeir, section: SectionTable, crest: number): RegulatorLaw {
  const { form, flapGate, canSurcharge } = link
  const height = section.fullDepthM
  const [, base, side1, side2] = link.section.dims
  const sideSlope = form === 'vnotch' ? base / link.section.dims[0] / 2 : (side1 + side2) / 2
  const openArea = (setting: number, depth: number) => {
    const from = (1 - setting) * height
    return tableAt(section, Math.min(height, from + depth), 0) - tableAt(section, from, 0)
  }
  /** Flow over the middle and over sloping ends. */
  const over = (head: number, setting: number, forward: boolean): [number, number] => {
    const coefficient = link.coefficientCurve ? tableLookup(link.coefficientCurve, head) : link.coefficient
    if (form === 'transverse' || form === 'sideflow') {
      const length = Math.max(0, base - 0.1 * link.endContractions * head)
      return form === 'sideflow' && forward
        ? [coefficient * length ** 0.83 * head ** 1.67, 0]
        : [coefficient * length * head ** 1.5, 0]
    }
    if (form === 'vnotch' && setting >= 1) return [coefficient * sideSlope * head ** 2.5, 0]
    const bottom = widthAt(link, (1 - setting) * height)
    return [coefficient * bottom * head ** 1.5, link.endCoefficient * sideSlope * head ** 2.5]
  }
  const slopeOf = (head: number, middle: number, ends: number, forward: boolean) => {
    if (head < FILM_M) return 0
    const of = form === 'sideflow' && forward ? 1.67 : form === 'vnotch' && ends === 0 ? 2.5 : 1.5
    return Math.abs((of * middle) / head) + Math.abs((2.5 * ends) / head)
  }
  const asOrifice = (
    passage: Passage,
    edge: number,
    crown: number,
    high: number,
    low: number,
    setting: number,
  ) => {
    const opening = crown - edge
    const [middle, ends] = over(opening, setting, true)
    const coefficient = (middle + ends) / Math.sqrt(opening / 2)
    let head = high - Math.max(low, (edge + crown) / 2)
    let flow = coefficient * Math.sqrt(Math.max(0, head))
    if (flapGate) {
      head = Math.max(0, head - flapLoss(flow / openArea(setting, opening), opening))
      flow = coefficient * Math.sqrt(head)
    }
    passage.slope = head > 0 ? flow / (2 * head) : 0
    return flow
  }
  return (passage, h1, h2, _y1, _y2, setting) => {
    nothing(passage)
    const forward = h1 > h2
    const high = forward ? h1 : h2
    const low = forward ? h2 : h1
    const crown = crest + height
    const edge = crest + (1 - setting) * height
    let head = high - edge
    if (head <= FILM_M || edge >= crown || (flapGate && !forward)) return
    const sign = forward ? 1 : -1
    passage.falls = edge > low ? sign : 0
    if (high >= crown) {
      if (canSurcharge) {
        passage.flow = sign * asOrifice(passage, edge, crown, high, low, setting)
        return
      }
      head = crown - edge
    }
    let [middle, ends] = over(head, setting, forward)
    if (flapGate) {
      const area = openArea(setting, head)
      if (area > 0) {
        head = Math.max(0, head - flapLoss((middle + ends) / area, head))
        ;[middle, ends] = over(head, setting, forward)
      }
    }
    passage.slope = slopeOf(head, middle, ends, forward)
    passage.flow =
      sign * (middle * villemonte(high, low, edge, POWERS[form]) + ends * villemonte(high, low, edge, 2.5))
  }
}

/** Width of a triangle or a trapezium at a depth, m. */
function widthAt({ form, section }: SewerWeir, depth: number): number {
  const [height, base, side1, side2] = section.dims
  return form === 'vnotch' ? (base * depth) / height : base + depth * (side1 + side2)
}

function roadwayLaw(link: SewerWeir, section: SectionTable, crest: number): RegulatorLaw {
  const length = section.maxWidthM
  return (passage, h1, h2) => {
    nothing(passage)
    const forward = h1 > h2
    const high = forward ? h1 : h2
    const low = forward ? h2 : h1
    const head = high - crest
    if (head <= FILM_M || (link.flapGate && !forward)) return
    passage.falls = crest > low ? (forward ? 1 : -1) : 0
    const flow = roadwayCoefficient(link, head, low - crest) * length * head ** 1.5
    passage.slope = (1.5 * flow) / head
    passage.flow = forward ? flow : -flow
  }
}
