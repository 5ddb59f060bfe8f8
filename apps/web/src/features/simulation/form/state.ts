import type { SimulationInput } from '@radx/contracts/simulation'
import {
  DEFAULT_DOUBLE_TRIANGLE,
  DEFAULT_SIMPLE_TRIANGLE,
  type DoubleTriangle,
  ESTIMATE_EVENT_HOURS,
  ESTIMATE_HOURS_PER_EVENT,
  EV7,
  type LuseConfig,
  type LuseUpdate,
  type RainfallSelection,
  SIMULATION_FORM_KEYS,
  type SimpleTriangle,
  VIRTUAL_START,
  type VirtualShape,
} from '@radx/contracts/simulation'
import { virtualRain } from '@radx/rainfall/virtual-rain'

/** Land-use editing: not in edit mode, choosing codes, painting, matrix saved. */
type EditStage = 'off' | 'codes' | 'grid' | 'saved'

/** A code that may be brought into the table, and whether it is. */
interface MarketItem {
  id: string
  isSelected: boolean
}

/** Everything that the form knows, as pure data (spec 2 §3 "Form state"). */
export interface FormState {
  title: string
  /** Empty without a case study. */
  caseStudyId: string
  catchmentId: string
  catchmentDisplay: string
  soilModule: boolean
  drainageModule: boolean
  barrier: boolean
  barrierHeight: number
  bassin: boolean
  bassinDepth: number
  greenRoof: boolean
  /** The chosen land-use file; empty before, never more than one. */
  luseIdArr: string[]
  /** File that painting starts from. */
  luseIdSource: string
  luseDesc: string
  /** Codes in use: the file's own, then the added ones. */
  luseConfigs: LuseConfig[]
  /** The file's own table, as it came. */
  ownConfigs: LuseConfig[]
  /** Codes that may be added, as they came. */
  market: LuseConfig[]
  marketItems: MarketItem[]
  luseUpdates: LuseUpdate[]
  stage: EditStage
  /** Null until a source is chosen. */
  rainfallSelection: RainfallSelection | null
  product: string
  rainfallStart: string
  rainfallEnd: string
  /** h */
  simulationDuration: number
  virtualRainShape: VirtualShape
  /** Of both shapes: changing from one to the other and back loses nothing. */
  virtualParam: { simple: SimpleTriangle; double: DoubleTriangle }
  /** mm/h a minute, 15 zeros first; empty until the parameters are used. */
  virtualData: number[]
  jobId: string | null
}

export const INITIAL_FORM: FormState = {
  title: '',
  caseStudyId: '',
  catchmentId: '',
  catchmentDisplay: '',
  soilModule: true,
  drainageModule: true,
  barrier: false,
  barrierHeight: 0,
  bassin: false,
  bassinDepth: 0,
  greenRoof: false,
  luseIdArr: [],
  luseIdSource: '',
  luseDesc: '',
  luseConfigs: [],
  ownConfigs: [],
  market: [],
  marketItems: [],
  luseUpdates: [],
  stage: 'off',
  rainfallSelection: null,
  product: EV7.product,
  rainfallStart: '',
  rainfallEnd: '',
  simulationDuration: 0,
  virtualRainShape: 'simple',
  virtualParam: { simple: DEFAULT_SIMPLE_TRIANGLE, double: DEFAULT_DOUBLE_TRIANGLE },
  virtualData: [],
  jobId: null,
}

/** The form as it is on entry. */
export const enterForm = (caseStudyId: string): FormState => ({ ...INITIAL_FORM, caseStudyId })

export type Step = 'intro' | 'modules' | 'landUse' | 'rain'

export const stepsOf = ({ caseStudyId }: Pick<FormState, 'caseStudyId'>): Step[] =>
  caseStudyId === '' ? ['modules', 'landUse', 'rain'] : ['intro', 'modules', 'landUse', 'rain']

/** Whether one may go on from a step; for the rain step, whether the form may be sent. */
export function isStepValid(state: FormState, step: Step): boolean {
  switch (step) {
    case 'intro':
      return true
    case 'modules':
      return state.title.trim() !== '' && state.catchmentId !== ''
    case 'landUse':
      // A file counts as chosen once its table is here: the form sends it.
      return (
        state.luseIdArr.length > 0 &&
        state.luseConfigs.length > 0 &&
        (state.stage === 'off' || state.stage === 'saved')
      )
    case 'rain':
      return isRainValid(state)
  }
}

export function isRainValid(state: FormState): boolean {
  if (state.rainfallSelection === 'ev7') return true
  if (state.rainfallSelection === 'radar') return state.rainfallStart !== '' && state.rainfallEnd !== ''
  return state.rainfallSelection === 'virtual' && state.virtualData.length > 0
}

const NO_RAIN = { rainfallStart: '', rainfallEnd: '', simulationDuration: 0, virtualData: [] }

/** Choosing ev7 completes the rain; any other source waits for its own choice. */
export const chooseRain = (state: FormState, rainfallSelection: RainfallSelection): FormState =>
  rainfallSelection === 'ev7'
    ? {
        ...state,
        ...NO_RAIN,
        rainfallSelection,
        product: EV7.product,
        rainfallStart: EV7.start,
        rainfallEnd: EV7.end,
        simulationDuration: EV7.durationHours,
      }
    : { ...state, ...NO_RAIN, rainfallSelection }

/** Radar rain of a period; null takes it away. */
export function setRadarPeriod(
  state: FormState,
  product: string,
  period: { s: string; e: string } | null,
): FormState {
  if (period === null) return { ...state, ...NO_RAIN, product }
  const hours = (Date.parse(period.e) - Date.parse(period.s)) / 3_600_000
  return {
    ...state,
    product,
    rainfallStart: period.s,
    rainfallEnd: period.e,
    simulationDuration: hours,
    virtualData: [],
  }
}

/** Parameters of the shape that is chosen. */
export const chosenParam = (state: FormState): SimpleTriangle | DoubleTriangle =>
  state.virtualParam[state.virtualRainShape]

/** A number as typed: comma or point; anything else is 0. */
export function parseParameter(text: string): number {
  const trimmed = text.trim().replace(',', '.')
  const value = trimmed === '' ? 0 : Number(trimmed)
  return Number.isFinite(value) ? value : 0
}

/** 'Utiliser ces paramètres': the curve becomes the rain; without a curve nothing changes. */
export function applyVirtualRain(state: FormState): FormState {
  const virtualData = virtualRain(state.virtualRainShape, chosenParam(state))
  if (virtualData.length === 0) return state
  return {
    ...state,
    virtualData,
    rainfallStart: VIRTUAL_START,
    rainfallEnd: new Date(Date.parse(VIRTUAL_START) + virtualData.length * 60_000)
      .toISOString()
      .replace('.000Z', 'Z'),
    simulationDuration: virtualData.length / 60,
  }
}

export const releaseVirtualRain = (state: FormState): FormState => ({ ...state, ...NO_RAIN })

/** Estimated computation time, h. */
export const estimatedHours = (durationHours: number): number =>
  (ESTIMATE_HOURS_PER_EVENT * durationHours) / ESTIMATE_EVENT_HOURS

/** A required key has no value in the form. */
class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'
  constructor(key: string) {
    super(`Key: ${key} is not included in reducer`)
  }
}

/**
 * The fields of the multipart call, all as texts.
 * @throws MissingKeyError for the first key without a value
 */
export function formFields(state: FormState): [string, string][] {
  const values: Record<string, unknown> = {
    ...state,
    luseId: state.luseIdArr[0],
    virtualParam: state.rainfallSelection === 'virtual' ? chosenParam(state) : {},
    rainfallSelection: state.rainfallSelection ?? undefined,
    luseUpdates: state.stage === 'off' ? [] : state.luseUpdates,
  }
  const fields = SIMULATION_FORM_KEYS.map((key): [string, string] => {
    const value = values[key]
    if (value === undefined || value === null) throw new MissingKeyError(key)
    return [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]
  })
  return state.rainfallSelection === 'radar' ? [...fields, ['product', state.product]] : fields
}

/** What a finished run hands on to a new form; its title and land-use file are taken over as they are. */
export function fromSimulation(state: FormState, input: SimulationInput): FormState {
  const filled: FormState = {
    ...state,
    title: input.title,
    catchmentId: input.catchmentId,
    catchmentDisplay: input.catchmentDisplay,
    soilModule: input.soilModule === 'true',
    drainageModule: input.drainageModule === 'true',
  }
  if (input.rainfallSelection === 'ev7') return chooseRain(filled, 'ev7')
  if (input.rainfallSelection === 'radar')
    return setRadarPeriod(chooseRain(filled, 'radar'), input.product ?? state.product, {
      s: input.rainfallStart,
      e: input.rainfallEnd,
    })
  const shape = input.virtualRainShape ?? 'simple'
  const param = input.virtualParam ?? chosenParam(state)
  return applyVirtualRain({
    ...chooseRain(filled, 'virtual'),
    virtualRainShape: shape,
    virtualParam: { ...filled.virtualParam, [shape]: param },
  })
}
