import type { GaugeRainRef, OwnRainRef } from '@radx/contracts/own-rains'
import type { SimulationInput } from '@radx/contracts/simulation'
import {
  DEFAULT_DOUBLE_TRIANGLE,
  DEFAULT_SIMPLE_TRIANGLE,
  ENSEMBLE_LIMITS,
  type Ensemble,
  type Equations,
  ESTIMATE_EVENT_HOURS,
  ESTIMATE_HOURS_PER_EVENT,
  EV7,
  type LuseConfig,
  type LuseUpdate,
  MOST_MOVE_M,
  MOST_SHIFT_MIN,
  type RainfallSelection,
  SIMULATION_FORM_KEYS,
  type SoilChoice,
  type Transposition,
  VIRTUAL_START,
  type VirtualParams,
  type VirtualShape,
} from '@radx/contracts/simulation'
import type { DesignChoice, DesignStorm } from '@radx/rainfall/storms/design-choice'
import type { RainUnit } from '@radx/rainfall/storms/rain-text'
import { virtualRain } from '@radx/rainfall/virtual-rain'

/** Land-use editing: not in edit mode, choosing codes, painting, matrix saved. */
type EditStage = 'off' | 'codes' | 'grid' | 'saved'

/** A code that may be brought into the table, and whether it is. */
interface MarketItem {
  id: string
  isSelected: boolean
}

/** How a virtual rain is drawn: triangles typed in, a storm by return period, a hyetogram of one's own. */
export type VirtualMode = 'typed' | 'design' | 'own'

/** Rain beside the three sources of the specification: what a gauge measured, or radar pictures of one's own. */
export type FurtherRain = 'gauge' | 'pictures'

/** A hyetogram as it was pasted or read from a file. */
export interface OwnText {
  text: string
  /** File name; empty for what was pasted. */
  file: string
  /** Of values whose heading says none; null until it is said. */
  unit: RainUnit | null
  calmAfter: number
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
  /** Every painted cell while some are not saved; null once all are. */
  unsaved: LuseUpdate[] | null
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
  virtualParam: Pick<VirtualParams, 'simple' | 'double'> & Partial<VirtualParams>
  virtualMode: VirtualMode
  /** Where the virtual rain comes from, for its reader; empty for triangles typed in. */
  virtualSource: string
  design: DesignChoice
  /** Table of return periods; null for the first one. */
  designTable: string | null
  own: OwnText
  /** mm/h a minute, 15 zeros first; empty until the parameters are used. */
  virtualData: number[]
  /** Null for a rain of the three sources; a gauge's is sent as a virtual one, pictures as those of a radar. */
  further: FurtherRain | null
  /** The gauge and the period that are looked at; no id for the first one, no instants for none yet. */
  gaugeChoice: Omit<GaugeRainRef, 'name'>
  /** What a gauge measured, once it is used. */
  gaugeRain: GaugeRainRef | null
  ownRain: OwnRainRef | null
  /** Radar rain moved over the catchment; null as it fell. */
  transposition: Transposition | null
  /** Radar rain also many times, taken down to streets; null for once, as it was measured. */
  ensemble: Ensemble | null
  soilBefore: SoilChoice
  equations: Equations
  /** A set of fitted parameters by its id; empty for the catchment's own. */
  parameterSet: string
  /** The run that the form became; null again once something of it is changed. */
  jobId: string | null
  /** Names the form as it was sent, so that sending it again is the same run; empty once something is changed. */
  submissionKey: string
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
  unsaved: null,
  stage: 'off',
  rainfallSelection: null,
  product: EV7.product,
  rainfallStart: '',
  rainfallEnd: '',
  simulationDuration: 0,
  virtualRainShape: 'simple',
  virtualParam: { simple: DEFAULT_SIMPLE_TRIANGLE, double: DEFAULT_DOUBLE_TRIANGLE },
  virtualMode: 'typed',
  virtualSource: '',
  design: {
    kind: 'chicago',
    periodYears: 10,
    durationMin: 120,
    stepMin: 5,
    peak: 0.4,
    intenseMin: 30,
    intenseYears: 10,
    calmAfter: 60,
  },
  designTable: null,
  own: { text: '', file: '', unit: null, calmAfter: 60 },
  virtualData: [],
  further: null,
  gaugeChoice: { id: '', start: '', end: '', gapsDry: false, calmAfter: 60 },
  gaugeRain: null,
  ownRain: null,
  transposition: null,
  ensemble: null,
  soilBefore: 'mean',
  equations: 'auto',
  parameterSet: '',
  jobId: null,
  submissionKey: '',
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

/** Radar rain as it fell, until it is moved. */
export const UNMOVED: Transposition = { eastM: 0, northM: 0, shiftMinutes: 0, factor: 1 }

/** An ensemble to begin with: orders of magnitude of the parameters, not those of a rain. */
export const FIRST_ENSEMBLE: Ensemble = { members: 20, alpha: 1.8, c1: 0.1, seed: 1 }

/** What of an ensemble cannot be. */
export function ensembleIssues(ensemble: Ensemble): (keyof Ensemble)[] {
  const inside = (name: keyof Ensemble) => {
    const { min, max } = ENSEMBLE_LIMITS[name]
    return ensemble[name] >= min && ensemble[name] <= max
  }
  const holds: [keyof Ensemble, boolean][] = [
    ['members', inside('members') && Number.isInteger(ensemble.members)],
    ['alpha', inside('alpha') && Math.abs(ensemble.alpha - 1) >= ENSEMBLE_LIMITS.alphaFromOne],
    ['c1', inside('c1')],
    ['seed', inside('seed') && Number.isInteger(ensemble.seed)],
  ]
  return holds.filter(([, good]) => !good).map(([name]) => name)
}

/** An ensemble lasts a day at most: a longer one does not fit into memory. */
export const isEnsembleTooLong = ({ simulationDuration }: FormState): boolean =>
  simulationDuration > ENSEMBLE_LIMITS.hours

const isEnsembleValid = (state: FormState): boolean =>
  state.ensemble === null || (ensembleIssues(state.ensemble).length === 0 && !isEnsembleTooLong(state))

export function isRainValid(state: FormState): boolean {
  if (state.further === 'pictures') return state.ownRain !== null
  if (state.rainfallSelection !== 'virtual' && !isEnsembleValid(state)) return false
  if (state.rainfallSelection === 'ev7') return true
  if (state.rainfallSelection === 'radar')
    return state.rainfallStart !== '' && state.rainfallEnd !== '' && isMoveValid(state)
  return state.rainfallSelection === 'virtual' && state.virtualData.length > 0
}

const isMoveValid = ({ transposition }: FormState): boolean =>
  transposition === null || moveIssues(transposition).length === 0

/** What of a move cannot be. */
export function moveIssues({ eastM, northM, shiftMinutes, factor }: Transposition): (keyof Transposition)[] {
  const limits: [keyof Transposition, boolean][] = [
    ['eastM', Math.abs(eastM) <= MOST_MOVE_M],
    ['northM', Math.abs(northM) <= MOST_MOVE_M],
    ['shiftMinutes', Math.abs(shiftMinutes) <= MOST_SHIFT_MIN],
    ['factor', factor >= 0.1 && factor <= 10],
  ]
  return limits.filter(([, holds]) => !holds).map(([name]) => name)
}

const NO_RAIN = {
  rainfallStart: '',
  rainfallEnd: '',
  simulationDuration: 0,
  virtualData: [],
  gaugeRain: null,
  ownRain: null,
}

/** Choosing ev7 completes the rain; any other source waits for its own choice. */
export const chooseRain = (state: FormState, rainfallSelection: RainfallSelection): FormState =>
  rainfallSelection === 'ev7'
    ? {
        ...state,
        ...NO_RAIN,
        further: null,
        rainfallSelection,
        product: EV7.product,
        rainfallStart: EV7.start,
        rainfallEnd: EV7.end,
        simulationDuration: EV7.durationHours,
      }
    : { ...state, ...NO_RAIN, further: null, rainfallSelection }

/** Rain beside the three sources; a period that was chosen before is looked at first. */
export function chooseFurther(state: FormState, further: FurtherRain): FormState {
  const { rainfallSelection, rainfallStart: start, rainfallEnd: end, gaugeChoice } = state
  const known = rainfallSelection !== 'virtual' && start !== '' && gaugeChoice.start === ''
  return {
    ...state,
    ...NO_RAIN,
    further,
    rainfallSelection: further === 'gauge' ? 'virtual' : 'radar',
    gaugeChoice: known ? { ...gaugeChoice, start, end } : gaugeChoice,
  }
}

/** What a gauge measured becomes the rain. @param minutes mm/h, as a run takes it */
export const applyGauge = (state: FormState, gaugeRain: GaugeRainRef, minutes: number[]): FormState =>
  withVirtualData(
    {
      ...state,
      gaugeRain,
      virtualRainShape: 'series',
      virtualParam: {
        ...state.virtualParam,
        series: {
          step: 1,
          iMax: minutes.reduce((most, rate) => Math.max(most, rate), 0),
          calmAfter: gaugeRain.calmAfter,
        },
      },
    },
    minutes,
  )

/** Pictures of one's own become the rain. */
export const applyPictures = (
  state: FormState,
  { id, name, start, end }: OwnRainRef & { start: string; end: string },
): FormState => ({
  ...state,
  ownRain: { id, name },
  rainfallStart: start,
  rainfallEnd: end,
  simulationDuration: (Date.parse(end) - Date.parse(start)) / 3_600_000,
})

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
export const chosenParam = (state: FormState): VirtualParams[VirtualShape] =>
  state.virtualParam[state.virtualRainShape] ?? state.virtualParam.simple

/** A number as typed or pasted: comma or point, spaces between thousands, the minus sign proper; else 0. */
export function parseParameter(text: string): number {
  const trimmed = text.replace(/\s/g, '').replace(',', '.').replace('−', '-')
  const value = trimmed === '' ? 0 : Number(trimmed)
  return Number.isFinite(value) ? value : 0
}

/** 'Utiliser ces paramètres': the triangles become the rain; without a curve nothing changes. */
export function applyVirtualRain(state: FormState): FormState {
  const shape = state.virtualRainShape === 'double' ? 'double' : 'simple'
  return withVirtualData({ ...state, virtualRainShape: shape }, virtualRain(shape, state.virtualParam[shape]))
}

/** A storm by return period becomes the rain. */
export function applyDesign(state: FormState, { shape, param, sourceFr }: DesignStorm): FormState {
  return withVirtualData(
    {
      ...state,
      virtualRainShape: shape,
      virtualParam: { ...state.virtualParam, [shape]: param },
      virtualSource: sourceFr,
    },
    virtualRain(shape, param as never),
  )
}

/** A hyetogram of one's own, as minutes, becomes the rain. */
export const applyOwn = (
  state: FormState,
  { minutes, series, source }: { minutes: number[]; series: VirtualParams['series']; source: string },
): FormState =>
  withVirtualData(
    {
      ...state,
      virtualRainShape: 'series',
      virtualParam: { ...state.virtualParam, series },
      virtualSource: source,
    },
    minutes,
  )

function withVirtualData(state: FormState, virtualData: number[]): FormState {
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

/** Another way to draw the virtual rain; what was drawn has to be used anew. */
export const chooseMode = (state: FormState, virtualMode: VirtualMode): FormState => ({
  ...releaseVirtualRain(state),
  virtualMode,
  virtualRainShape: 'simple',
})

export const releaseVirtualRain = (state: FormState): FormState => ({
  ...state,
  ...NO_RAIN,
  virtualSource: '',
})

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
  return [...fields, ...furtherFields(state)]
}

/** Fields beside those of the specification, where they say something. */
function furtherFields(state: FormState): [string, string][] {
  const { rainfallSelection, product, transposition, ensemble, virtualSource, soilBefore, equations } = state
  const { further, gaugeRain, ownRain } = state
  const radar = rainfallSelection === 'radar' && further === null
  const measured = radar || rainfallSelection === 'ev7'
  const given: [string, string, boolean][] = [
    ['product', product, radar],
    ['transposition', JSON.stringify(transposition), radar && transposition !== null],
    ['ensemble', JSON.stringify(ensemble), measured && ensemble !== null],
    ['gaugeRain', JSON.stringify(gaugeRain), further === 'gauge' && gaugeRain !== null],
    ['ownRain', ownRain?.id ?? '', further === 'pictures' && ownRain !== null],
    ['virtualSource', virtualSource, rainfallSelection === 'virtual' && virtualSource !== ''],
    ['soilBefore', soilBefore, state.soilModule && soilBefore !== 'mean'],
    ['equations', equations, equations !== 'auto'],
    ['parameterSet', state.parameterSet, state.parameterSet !== ''],
  ]
  return given.filter(([, , said]) => said).map(([name, value]) => [name, value])
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
    transposition: input.transposition ?? null,
    ensemble: input.ensemble ?? null,
    soilBefore: input.soilBefore?.choice ?? 'mean',
    equations: input.equations ?? 'inertial',
  }
  if (input.rainfallSelection === 'ev7') return chooseRain(filled, 'ev7')
  if (input.ownRain)
    return applyPictures(chooseFurther(filled, 'pictures'), {
      ...input.ownRain,
      start: input.rainfallStart,
      end: input.rainfallEnd,
    })
  if (input.gaugeRain) {
    const { name: _name, ...gaugeChoice } = input.gaugeRain
    const gauge = { ...chooseFurther(filled, 'gauge'), gaugeChoice }
    return applyGauge(gauge, input.gaugeRain, input.virtualData)
  }
  if (input.rainfallSelection === 'radar')
    return setRadarPeriod(chooseRain(filled, 'radar'), input.product ?? state.product, {
      s: input.rainfallStart,
      e: input.rainfallEnd,
    })
  const shape = input.virtualRainShape ?? 'simple'
  const virtual: FormState = {
    ...chooseRain(filled, 'virtual'),
    virtualRainShape: shape,
    virtualParam: { ...filled.virtualParam, [shape]: input.virtualParam ?? chosenParam(state) },
    virtualSource: input.virtualSource ?? '',
  }
  if (shape === 'simple' || (shape === 'double' && virtual.virtualSource === ''))
    return applyVirtualRain(virtual)
  return withVirtualData(
    { ...virtual, virtualMode: shape === 'series' ? 'own' : 'design' },
    input.virtualData,
  )
}
