import {
  type Ensemble,
  type Equations,
  type LiveBegin,
  type RainfallSelection,
  type RainMethod,
  runStartMs,
  type SimulationInput,
  type SoilState,
  type Transposition,
  type UsedParameters,
} from '@radx/contracts'
import type { RainSource } from './rain/rain-source.ts'

/** Rain that a run on the platform can have. */
export type RunRain =
  | Extract<RainSource, { kind: 'virtual' | 'radar' | 'event' }>
  /** Radar pictures that an account brought. */
  | { kind: 'pictures'; id: string; name: string }
  /** What a flood forecast took to fall, kept with it. */
  | { kind: 'forecast'; product: string; start: string; end: string; live: LiveBegin }

/** What was built against the flood. */
export interface Measures {
  /** Height of the barrier, m; null without one. */
  barrierM: number | null
  /** Depth of the retention basin, m; null without one. */
  basinM: number | null
  greenRoofs: boolean
}

/** What the computation does; each option says here what it means. */
export interface RunOptions {
  /** Water infiltrates by Green-Ampt where the land use has soil. */
  soil: boolean
  /** Gullies take water into the sewer. */
  drainage: boolean
  /** Wetness of the soil before the rain. Default: mean, the land-use table's own. */
  soilState?: SoilState
  /** Equations of the surface. Default: local inertia. */
  equations?: Equations
}

/**
 * What a run computes, by itself: land use by reference, numbers as numbers, one tag for the rain. `runSpecOf` makes
 * it of the wire form, and nothing else reads that form's flags and texts. A new choice (a scheme, a boundary, a
 * state to start from) is an optional field of `simulationInputSchema`, a field here and a line in `runSpecOf`, which
 * gives runs of before their default; a new rain is a kind of `RainSource`.
 */
export interface RunSpec {
  title: string
  catchment: {
    id: string
    name: string
    /** Zone that was worked on; null for the whole catchment. */
    caseStudy: string | null
  }
  /** The file whose codes and table the run uses, and the one that it was painted from. */
  landUse: { fileId: string; sourceId: string; description: string }
  rain: RunRain
  /** The rain also many times, taken down to streets; null without. Virtual rain has none. */
  ensemble: Ensemble | null
  /** Instant at which the rain begins, ms. */
  startMs: number
  measures: Measures
  /** Fitted values in place of the table's; null for a run with the table as it is. */
  parameterSet: UsedParameters | null
  options: RunOptions
}

const isSet = (flag: 'true' | 'false'): boolean => flag === 'true'

/** What is kept of a submission: what was painted and the table of codes stay with the land-use file. */
export type RunInput = Omit<SimulationInput, 'luseUpdates' | 'luseConfigs'>

/** The domain object of what was submitted. Of runs that older versions stored, too. */
export function runSpecOf(input: RunInput): RunSpec {
  const heightM = (flag: 'true' | 'false', text: string) => (isSet(flag) ? Number(text) : null)
  return {
    title: input.title,
    catchment: {
      id: input.catchmentId,
      name: input.catchmentDisplay,
      caseStudy: input.caseStudyId || null,
    },
    landUse: { fileId: input.luseId, sourceId: input.luseIdSource, description: input.luseDesc },
    rain: rainOf(input),
    ensemble: (input.rainfallSelection !== 'virtual' && !input.ownRain && input.ensemble) || null,
    startMs: runStartMs(input),
    measures: {
      barrierM: heightM(input.barrier, input.barrierHeight),
      basinM: heightM(input.bassin, input.bassinDepth),
      greenRoofs: isSet(input.greenRoof),
    },
    parameterSet: input.parameterSet ?? null,
    options: {
      soil: isSet(input.soilModule),
      drainage: isSet(input.drainageModule),
      soilState: input.soilBefore?.state ?? 'mean',
      equations: input.equations ?? 'inertial',
    },
  }
}

function rainOf(input: RunInput): RunRain {
  const { rainfallStart: start, rainfallEnd: end, ownRain } = input
  switch (input.rainfallSelection) {
    case 'ev7':
      return { kind: 'event', event: 'ev7' }
    case 'radar':
      if (ownRain) return { kind: 'pictures', ...ownRain }
      if (input.live) return { kind: 'forecast', product: input.product ?? '', start, end, live: input.live }
      // A product without a name is refused when its rain is looked for.
      return {
        kind: 'radar',
        product: input.product ?? '',
        start,
        end,
        ...(input.transposition && { move: input.transposition }),
      }
    case 'virtual': {
      const [shape, params] = [input.virtualRainShape, input.virtualParam]
      return { kind: 'virtual', shape, params, ratesMmH: input.virtualData } as RunRain
    }
  }
}

/** What the wire form and the result files call a rain. */
export const rainSelection = ({ kind }: RunRain): RainfallSelection =>
  kind === 'event' ? 'ev7' : kind === 'forecast' || kind === 'pictures' ? 'radar' : kind

const movedKey = ({ eastM, northM, shiftMinutes, factor }: Transposition): string =>
  [eastM, northM, shiftMinutes, factor].join(' ')

/**
 * Equal for runs that may be compared: those on which the same rain fell.
 * @param method how measured rain was taken between frames; null of runs that say nothing, which took frames as they are
 */
export function rainKey(rain: RunRain, method: RainMethod | null): string {
  const between = method ?? 'raw'
  switch (rain.kind) {
    case 'event':
      return `${rain.event} ${between}`
    case 'radar': {
      const move = rain.move ? ` ${movedKey(rain.move)}` : ''
      return `radar ${rain.product} ${rain.start} ${rain.end}${move} ${between}`
    }
    case 'pictures':
      return `pictures ${rain.id}`
    case 'forecast':
      return `forecast ${rain.live.rainJob}`
    case 'virtual': {
      const params = Object.entries(rain.params ?? {}).sort(([a], [b]) => a.localeCompare(b))
      // Parameters do not draw a rain of one's own: its minutes are its name.
      const minutes = rain.shape === 'series' ? ` ${rain.ratesMmH.join(' ')}` : ''
      return `virtual ${rain.shape} ${JSON.stringify(params)}${minutes}`
    }
  }
}
