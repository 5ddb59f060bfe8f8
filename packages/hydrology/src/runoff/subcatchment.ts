import type { RunoffModel, RunoffSubcatchment } from '@radx/contracts/runoff'
import { ofMonth } from './climate.ts'
import { DRY_RATE, MANNING, ZERO } from './constants.ts'
import { drain } from './drainage.ts'
import { greenAmpt } from './green-ampt.ts'
import { createGround, type Ground } from './infiltration.ts'
import type { Design } from './measures/layers.ts'
import { Measure } from './measures/unit.ts'

/** Impervious ground without hollows, with hollows, pervious ground. */
const BARE = 0
const HOLLOW = 1
const PERVIOUS = 2

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
  /** Largest flow at the end of a step, m3/s, and when, s. */
  peak: number
  peakS: number
}

/**
 * A subcatchment: nonlinear reservoirs of three kinds of ground that may drain onto each other, and measures that take
 * water of theirs (SWMM Reference Manual I, chapter 3, and III). Volumes that leave are what rain, losses and the
 * change of depth leave over, so that the balance is exact; rates at the end of a step are Manning's.
 */
export class Subcatchment {
  readonly input: RunoffSubcatchment
  readonly measures: Measure[]
  readonly totals: SubcatchmentTotals = {
    rain: 0,
    runon: 0,
    evaporation: 0,
    infiltration: 0,
    imperviousRunoff: 0,
    perviousRunoff: 0,
    runoff: 0,
    peak: 0,
    peakS: 0,
  }
  /** m3 that came from other subcatchments and drains since the last step. */
  runonM3 = 0
  /** What left over the surface in the step, m3, and its rate at the step's end, m3/s. */
  outflowM3 = 0
  flow = 0
  /** Through drains of measures in the step, m3, by measure. */
  readonly drainM3: Float64Array
  /** Whether anything runs or moves that asks for short steps. */
  wet = false
  readonly initialM3: number

  readonly #ground: Ground
  readonly #depth = new Float64Array(3)
  readonly #sealed: number
  readonly #share: number[]
  readonly #alpha: number[]
  readonly #store: number[]
  readonly #rough: number[]
  readonly #groundM2: number
  readonly #measuresM2: number
  readonly #hasMonths: boolean
  /** m3 that one kind of ground, or a measure, gives another for the next step. */
  readonly #passed = new Float64Array(3)
  /** Depth that left each kind of ground in the step, m, and its rate at the end, m/s. */
  readonly #left = new Float64Array(3)
  readonly #rate = new Float64Array(3)
  #evaporatedM3 = 0
  #infiltratedM3 = 0
  #groundInfiltrationM3 = 0

  constructor(input: RunoffSubcatchment, designs: Design[], model: RunoffModel) {
    this.input = input
    this.#ground = createGround(input.infiltration)
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
    this.#measuresM2 = measuresM2
    this.#groundM2 = input.areaM2 - measuresM2
    const sealed = wholeShare(input.imperviousShare)
    this.#sealed = sealed
    this.#share = [
      sealed * wholeShare(input.bareShare),
      sealed * (1 - wholeShare(input.bareShare)),
      1 - sealed,
    ]
    this.#store = [0, input.imperviousStoreM, input.perviousStoreM]
    this.#rough = [input.imperviousN, input.imperviousN, input.perviousN]
    this.#alpha = [sealed, sealed, 1 - sealed].map((share, k) => {
      const area = share * this.#groundM2
      return area > 0 && this.#rough[k] > 0
        ? (MANNING * input.widthM * Math.sqrt(input.slope)) / area / this.#rough[k]
        : 0
    })
    const { monthly } = input
    this.#hasMonths = Boolean(monthly.roughness || monthly.store || monthly.conductivity)
    this.initialM3 = this.storedM3()
  }

  storedM3(): number {
    let depth = 0
    for (let k = 0; k < 3; k++) depth += this.#depth[k] * this.#share[k]
    let volume = depth * this.#groundM2 + this.#passed[0] + this.#passed[1] + this.#passed[2]
    for (const measure of this.measures) volume += measure.volume() * measure.totalM2
    return volume
  }

  /** Makes one step; `runonM3` is used up. */
  step(weather: Weather): void {
    const { dt, rain } = weather
    const area = this.input.areaM2
    const runonM3 = this.runonM3
    this.runonM3 = 0
    this.#evaporatedM3 = 0
    this.#infiltratedM3 = 0
    this.#groundInfiltrationM3 = 0
    this.#ground.recovery = weather.recovery
    this.#ground.conductivity = this.#hasMonths
      ? ofMonth(this.input.monthly.conductivity, weather.month, weather.conductivity)
      : weather.conductivity
    const onGround = this.#groundM2 > 0 ? runonM3 / this.#groundM2 / dt : 0
    let outM3 = 0
    let flow = 0
    if (this.#groundM2 > 0) {
      for (let k = 0; k < 3; k++) {
        const passed = this.#passed[k]
        this.#passed[k] = 0
        if (this.#share[k] > 0) this.#stepGround(k, weather, onGround, passed)
        else this.#left[k] = this.#rate[k] = 0
      }
      outM3 = this.#route()
      flow = this.#routedRate
    }
    this.outflowM3 = outM3
    this.flow = flow
    if (this.measures.length > 0 && this.#measuresM2 > 0) this.#treat(weather, runonM3)
    this.#note(weather, rain * dt * area, runonM3)
  }

  #stepGround(k: number, { dt, rain, evaporation, month }: Weather, runon: number, passedM3: number): void {
    const area = this.#groundM2 * this.#share[k]
    const inflow = runon + passedM3 / area / dt
    const before = this.#depth[k]
    // Most ground is dry most of the time.
    if (before === 0 && rain === 0 && inflow === 0 && k !== PERVIOUS) {
      this.#left[k] = this.#rate[k] = 0
      return
    }
    const evaporated = Math.min(before / dt, evaporation)
    const supply = before / dt + rain + inflow
    // Both take from what there is: evaporation first.
    const infiltrated =
      k === PERVIOUS ? Math.min(this.#ground.take(dt, rain, inflow, before), supply - evaporated) : 0
    let store = this.#store[k]
    let alpha = this.#alpha[k]
    if (this.#hasMonths) {
      const { store: stores, roughness } = this.input.monthly
      store *= Math.max(0, ofMonth(stores, month, 1))
      const rough = k === PERVIOUS ? ofMonth(roughness, month, 1) : 1
      alpha = rough > 0 ? alpha / rough : 0
    }
    const net = rain + inflow - evaporated - infiltrated
    let after: number
    if (evaporated + infiltrated >= supply) after = 0
    else if (this.#rough[k] === 0) after = Math.min(before + net * dt, Math.max(store, 0))
    else after = Math.max(0, store + drain(before - store, net, alpha, dt))
    // What depths cannot say to the last bit is no runoff.
    const left = (supply - evaporated - infiltrated) * dt - after
    if (left <= 1e-15) after += left
    this.#depth[k] = Math.max(0, after)
    this.#left[k] = left > 1e-15 ? left : 0
    const above = after - store
    this.#rate[k] =
      this.#rough[k] === 0 ? this.#left[k] / dt : above > ZERO ? alpha * above * Math.cbrt(above) ** 2 : 0
    this.#evaporatedM3 += evaporated * dt * area
    this.#infiltratedM3 += infiltrated * dt * area
    this.#groundInfiltrationM3 += infiltrated * dt * area
  }

  /** Rate at which ground gives water to the outlet at the step's end, m3/s. */
  #routedRate = 0

  /** Passes on what one kind of ground drains onto another. @returns what goes to the outlet, m3 */
  #route(): number {
    const { routeTo, routedShare } = this.input
    const both = this.#sealed > 0 && this.#sealed < 1
    let out = 0
    let rate = 0
    for (let k = 0; k < 3; k++) {
      const m2 = this.#groundM2 * this.#share[k]
      const volume = this.#left[k] * m2
      let passed = 0
      if (both && routeTo === 'pervious' && k !== PERVIOUS) passed = routedShare
      if (both && routeTo === 'impervious' && k === PERVIOUS && this.#share[HOLLOW] > 0) passed = routedShare
      if (passed > 0) this.#passed[k === PERVIOUS ? HOLLOW : PERVIOUS] += volume * passed
      out += volume * (1 - passed)
      rate += this.#rate[k] * m2 * (1 - passed)
      if (k === PERVIOUS) this.totals.perviousRunoff += volume
      else this.totals.imperviousRunoff += volume
    }
    this.#routedRate = rate
    return out
  }

  /** Leads water through the measures. */
  #treat(weather: Weather, runonM3: number): void {
    const { dt, timeS, rain, evaporation } = weather
    const whole = this.#groundM2 === 0
    const { areaM2, routeTo, routedShare } = this.input
    const imperviousShare = this.#sealed
    const native =
      !whole && imperviousShare < 1
        ? this.#groundInfiltrationM3 / this.#groundM2 / dt
        : this.#ground.take(dt, rain, runonM3 / areaM2 / dt, this.#standing())
    const both = imperviousShare > 0 && imperviousShare < 1
    const sealedOut = both && routeTo === 'pervious' ? 1 - routedShare : 1
    const openOut = both && routeTo === 'impervious' ? 1 - routedShare : 1
    const of = (k: number) => this.#groundM2 * this.#share[k]
    const sealedM3 = (this.#left[BARE] * of(BARE) + this.#left[HOLLOW] * of(HOLLOW)) * sealedOut
    const openM3 = this.#left[PERVIOUS] * of(PERVIOUS) * openOut
    const sealedRate = (this.#rate[BARE] * of(BARE) + this.#rate[HOLLOW] * of(HOLLOW)) * sealedOut
    const openRate = this.#rate[PERVIOUS] * of(PERVIOUS) * openOut
    let out = this.outflowM3
    let rate = this.flow
    this.measures.forEach((measure, m) => {
      const { placed, totalM2 } = measure
      this.drainM3[m] = 0
      if (totalM2 <= 0) return
      const sent = whole ? 0 : sealedM3 * placed.fromImpervious + openM3 * placed.fromPervious
      if (!whole) rate -= sealedRate * placed.fromImpervious + openRate * placed.fromPervious
      out -= sent
      const inflow = sent / totalM2 / dt + rain + (whole ? runonM3 / areaM2 / dt : 0)
      const made = measure.step(dt, timeS, inflow, evaporation, native)
      if (rain > DRY_RATE) measure.drySinceS = 0
      else measure.drySinceS += dt
      this.#evaporatedM3 += made.evaporation * totalM2
      this.#infiltratedM3 += made.seepage * totalM2
      let surface = made.outflow * totalM2
      let drained = made.drain * totalM2
      if (placed.toPervious && imperviousShare < 0.999 && !whole) {
        this.#passed[PERVIOUS] += surface
        surface = 0
        if (placed.drainTo === null) {
          this.#passed[PERVIOUS] += drained
          drained = 0
        }
      }
      this.drainM3[m] = drained
      out += surface
      rate += surface / dt
    })
    this.outflowM3 = Math.max(0, out)
    this.flow = Math.max(0, rate)
  }

  /** Depth of water on the measures' surfaces, m over their area. */
  #standing(): number {
    let volume = 0
    for (const measure of this.measures)
      volume += measure.levels.surface * measure.design.surface.voidShare * measure.totalM2
    return volume / this.#measuresM2
  }

  #note({ dt, timeS }: Weather, rainM3: number, runonM3: number): void {
    const { totals } = this
    let drained = 0
    for (const volume of this.drainM3) drained += volume
    totals.rain += rainM3
    totals.runon += runonM3
    totals.evaporation += this.#evaporatedM3
    totals.infiltration += this.#infiltratedM3
    totals.runoff += this.outflowM3 + drained
    const peak = this.flow + drained / dt
    if (peak > totals.peak) {
      totals.peak = peak
      totals.peakS = timeS + dt
    }
    this.wet = this.measures.length > 0 && this.measures.some((measure) => isWet(measure, dt))
  }

  /** Runoff from the ground before it is led on, m/s over the subcatchment: long steps are taken where it is none. */
  get running(): number {
    let sum = 0
    for (let k = 0; k < 3; k++) sum += this.#rate[k] * this.#share[k]
    return sum
  }
}

const isWet = ({ last }: Measure, dt: number) =>
  Math.max(last.outflow, last.drain, last.seepage, last.evaporation) >= DRY_RATE * dt

/** A share so near 0 or 1 that one of both kinds of ground has no area worth a figure is 0 or 1. */
const wholeShare = (share: number) => (share < 1e-9 ? 0 : share > 1 - 1e-9 ? 1 : share)
