import type { RunoffModel, RunoffSubcatchment } from '@radx/contracts/runoff'
import { ofMonth } from './climate.ts'
import { DRY_RATE, MANNING } from './constants.ts'
import { greenAmpt } from './green-ampt.ts'
import { BARE, type GroundArrays, HOLLOW, PERVIOUS } from './ground/arrays.ts'
import { handedOver } from './ground/hand-over.ts'
import { createGround, GROUND_SIZE, type Ground } from './infiltration.ts'
import type { Design } from './measures/layers.ts'
import { Measure } from './measures/unit.ts'

/** What acts on a subcatchment over a step. */
export interface Weather {
  dt: number
  timeS: number
  month: number
  /** m/s. */
  rain: number
  evaporation: number
  recovery: number
  conductivity: number
}

/** Volumes since the start, m3. */
export interface SubcatchmentTotals {
  rain: number
  runon: number
  evaporation: number
  infiltration: number
  imperviousRunoff: number
  perviousRunoff: number
  /** What left, drains of measures included. */
  runoff: number
  /** The same, and its two parts, by the rate at each step's end for the whole step, as EPA SWMM's report sums it. */
  rated: number
  ratedImpervious: number
  ratedPervious: number
  /** Largest flow at the end of a step, m3/s, and when, s. */
  peak: number
  peakS: number
}

/**
 * A subcatchment: nonlinear reservoirs of three kinds of ground that may drain onto each other, and measures that take
 * water of theirs (SWMM Reference Manual I, chapter 3, and III). Volumes that leave are what rain, losses and the
 * change of depth leave over, so that the balance is exact; rates at the end of a step are Manning's. Its figures stand
 * in arrays of all subcatchments, whose loops (ground/) move the water on the ground.
 */
export class Subcatchment {
  readonly input: RunoffSubcatchment
  readonly measures: Measure[]
  /** Through drains of measures in the step, m3, by measure. */
  readonly drainM3: Float64Array
  /** Whether any measure moves that asks for short steps. */
  wet = false
  readonly initialM3: number
  readonly ground: Ground & { law: number }

  private readonly arrays: GroundArrays
  private readonly place: number
  /** What a rest made is caught up with before anyone looks. */
  bringUp = (): void => undefined
  private readonly sealed: number
  private readonly measuresM2: number

  constructor(
    input: RunoffSubcatchment,
    designs: Design[],
    model: RunoffModel,
    arrays: GroundArrays,
    place: number,
    soils: Float64Array,
  ) {
    this.input = input
    this.arrays = arrays
    this.place = place
    this.ground = createGround(input.infiltration, soils, place * GROUND_SIZE)
    this.measures = input.measures.map((placed) => {
      const design = designs[placed.control]
      const soil =
        design.type === 'swale' && 'suctionM' in input.infiltration
          ? greenAmpt(input.infiltration, true)
          : null
      return new Measure(design, placed, soil, model.dryDays)
    })
    this.drainM3 = new Float64Array(this.measures.length)
    let measuresM2 = this.measures.reduce((sum, measure) => sum + measure.totalM2, 0)
    if (measuresM2 > 0.999 * input.areaM2) measuresM2 = input.areaM2
    this.measuresM2 = measuresM2
    this.sealed = wholeShare(input.imperviousShare)
    arrays.areaM2[place] = input.areaM2
    arrays.groundM2[place] = input.areaM2 - measuresM2
    this.fill()
    this.initialM3 = this.storedM3()
  }

  /** Fills in what stays of the three kinds of ground. */
  private fill(): void {
    const { input } = this
    const arrays = this.arrays
    const groundM2 = arrays.groundM2[this.place]
    const sealed = this.sealed
    const bare = wholeShare(input.bareShare)
    const shares = [sealed * bare, sealed * (1 - bare), 1 - sealed]
    const both = sealed > 0 && sealed < 1
    for (let k = 0; k < 3; k++) {
      const at = this.at(k)
      arrays.share[at] = shares[k]
      arrays.m2[at] = groundM2 * shares[k]
      arrays.rough[at] = k === PERVIOUS ? input.perviousN : input.imperviousN
      const onto = k === PERVIOUS ? 'impervious' : 'pervious'
      const takes = k !== PERVIOUS || shares[HOLLOW] > 0
      arrays.onward[at] = both && input.routeTo === onto && takes ? input.routedShare : 0
    }
    this.setMonth(0)
  }

  private at(k: number): number {
    return k * this.arrays.stride + this.place
  }

  /** Hollows and what roughness makes of depth, by the calendar. */
  private setMonth(month: number): void {
    const { input } = this
    const arrays = this.arrays
    const { store: stores, roughness } = input.monthly
    for (let k = 0; k < 3; k++) {
      const at = this.at(k)
      const area = (k === PERVIOUS ? 1 - this.sealed : this.sealed) * arrays.groundM2[this.place]
      const rough = arrays.rough[at]
      const alpha =
        area > 0 && rough > 0 ? (MANNING * input.widthM * Math.sqrt(input.slope)) / area / rough : 0
      const store = [0, input.imperviousStoreM, input.perviousStoreM][k]
      const slower = k === PERVIOUS ? ofMonth(roughness, month, 1) : 1
      arrays.store[at] = store * Math.max(0, ofMonth(stores, month, 1))
      arrays.alpha[at] = slower > 0 ? alpha / slower : 0
    }
  }

  /** Takes on what holds for a month. */
  beginMonth({ month, recovery, conductivity }: Weather): void {
    this.ground.recovery = recovery
    this.ground.conductivity = ofMonth(this.input.monthly.conductivity, month, conductivity)
    if (this.input.monthly.store || this.input.monthly.roughness) this.setMonth(month)
  }

  /** What left over the surface in the step, m3, and its rate at the step's end, m3/s. */
  get outflowM3(): number {
    return this.arrays.outM3[this.place]
  }

  get flow(): number {
    return this.arrays.flow[this.place]
  }

  /** m3 that came from other subcatchments and drains since the last step. */
  get runonM3(): number {
    return this.arrays.runonM3[this.place]
  }

  get totals(): SubcatchmentTotals {
    this.bringUp()
    const [arrays, i] = [this.arrays, this.place]
    return {
      rain: arrays.rainM3[i],
      runon: arrays.runonSumM3[i],
      evaporation: arrays.evaporationM3[i],
      infiltration: arrays.infiltrationM3[i],
      imperviousRunoff: arrays.imperviousM3[i],
      perviousRunoff: arrays.perviousM3[i],
      runoff: arrays.runoffM3[i],
      rated: arrays.ratedM3[i],
      ratedImpervious: arrays.ratedImperviousM3[i],
      ratedPervious: arrays.ratedPerviousM3[i],
      peak: arrays.peak[i],
      peakS: arrays.peakS[i],
    }
  }

  storedM3(): number {
    this.bringUp()
    const { depth, share, passed, groundM2 } = this.arrays
    const [a, b, c] = [this.at(0), this.at(1), this.at(2)]
    const mean = depth[a] * share[a] + depth[b] * share[b] + depth[c] * share[c]
    let volume = mean * groundM2[this.place] + passed[a] + passed[b] + passed[c]
    for (const measure of this.measures) volume += measure.volume() * measure.totalM2 + measure.heldM3
    return volume
  }

  /** Leads water through the measures, once it moved on the ground. */
  treat({ dt, timeS }: Weather): void {
    if (!(this.measuresM2 > 0)) return
    const [arrays, i] = [this.arrays, this.place]
    const groundM2 = arrays.groundM2[i]
    const [rain, evaporation, runonM3] = [arrays.rain[i], arrays.evaporation[i], arrays.usedM3[i]]
    const whole = groundM2 === 0
    const { areaM2, routeTo, routedShare } = this.input
    const imperviousShare = this.sealed
    const native =
      !whole && imperviousShare < 1
        ? arrays.infiltratedM3[i] / groundM2 / dt
        : this.ground.take(dt, rain, runonM3 / areaM2 / dt, this.standing())
    const both = imperviousShare > 0 && imperviousShare < 1
    const sealedOut = both && routeTo === 'pervious' ? 1 - routedShare : 1
    const openOut = both && routeTo === 'impervious' ? 1 - routedShare : 1
    const of = (figures: Float64Array, k: number) => figures[this.at(k)] * arrays.m2[this.at(k)]
    const sealedM3 = (of(arrays.left, BARE) + of(arrays.left, HOLLOW)) * sealedOut
    const openM3 = of(arrays.left, PERVIOUS) * openOut
    const sealedRate = (of(arrays.rate, BARE) + of(arrays.rate, HOLLOW)) * sealedOut
    const openRate = of(arrays.rate, PERVIOUS) * openOut
    let out = arrays.outM3[i]
    let rate = arrays.flow[i]
    this.measures.forEach((measure, m) => {
      const { placed, totalM2 } = measure
      this.drainM3[m] = 0
      if (totalM2 <= 0) return
      const sent = whole ? 0 : sealedM3 * placed.fromImpervious + openM3 * placed.fromPervious
      const sentRate = whole ? 0 : sealedRate * placed.fromImpervious + openRate * placed.fromPervious
      rate -= sentRate
      out -= sent
      measure.heldM3 += sent
      const given = handedOver(measure.heldM3, sentRate * dt, dt)
      measure.heldM3 -= given
      const inflow = given / totalM2 / dt + rain + (whole ? runonM3 / areaM2 / dt : 0)
      const made = measure.step(dt, timeS, inflow, evaporation, native)
      if (rain > DRY_RATE) measure.drySinceS = 0
      else measure.drySinceS += dt
      arrays.evaporatedM3[i] += made.evaporation * totalM2
      arrays.infiltratedM3[i] += made.seepage * totalM2
      let surface = made.outflow * totalM2
      let drained = made.drain * totalM2
      if (placed.toPervious && imperviousShare < 0.999 && !whole) {
        const back = placed.drainTo === null ? surface + drained : surface
        arrays.passed[this.at(PERVIOUS)] += back
        arrays.passRate[this.at(PERVIOUS)] += back / dt
        surface = 0
        if (placed.drainTo === null) drained = 0
      }
      this.drainM3[m] = drained
      out += surface
      rate += surface / dt
    })
    arrays.outM3[i] = Math.max(0, out)
    arrays.flow[i] = Math.max(0, rate)
    arrays.drainedM3[i] = this.drainM3.reduce((sum, volume) => sum + volume, 0)
    this.wet = this.measures.some((measure) => isWet(measure, dt))
  }

  /** Depth of water on the measures' surfaces, m over their area. */
  private standing(): number {
    let volume = 0
    for (const measure of this.measures)
      volume += measure.levels.surface * measure.design.surface.voidShare * measure.totalM2
    return volume / this.measuresM2
  }
}

const isWet = ({ last }: Measure, dt: number) =>
  Math.max(last.outflow, last.drain, last.seepage, last.evaporation) >= DRY_RATE * dt

/** A share so near 0 or 1 that one of both kinds of ground has no area worth a figure is 0 or 1. */
const wholeShare = (share: number) => (share < 1e-9 ? 0 : share > 1 - 1e-9 ? 1 : share)
