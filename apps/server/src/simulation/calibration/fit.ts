import type {
  CalibrationObjective,
  CalibrationParameter,
  CalibrationResult,
  FittedParameter,
  ParameterValue,
  SeriesScores,
} from '@radx/contracts/calibration'
import { RadxError } from '@radx/contracts/errors'
import { behavioural, weightedQuantiles } from '@radx/hydrology/calibration/glue'
import { type Scores, scoresOf } from '@radx/hydrology/calibration/scores'
import { Search, type SearchBound } from '@radx/hydrology/calibration/search'
import { checkParameters, valueBefore } from './parameters.ts'
import type { EventSetup } from './trial.ts'
import { TrialThreads } from './trial-threads.ts'
import { warningsOf } from './warnings.ts'

export interface FitTask {
  parameters: readonly CalibrationParameter[]
  events: readonly EventSetup[]
  objective: CalibrationObjective
  /** Trials on the events of calibration. */
  runs: number
  seed: number
  /** Score above which a trial is good; default: the best less 0.05. */
  threshold?: number
  threads: number
}

/** A trial as it is kept: what was tried, what it was worth, and what it simulated where something was measured. */
export interface KeptTrial {
  /** From 0, the catchment as it is. */
  trial: number
  /** By parameter. */
  values: number[]
  /** Null where the engine would not go on. */
  score: number | null
  /** Why not, French. */
  error?: string
  /** Of each series of each event of calibration, in their order; empty for a failed trial. */
  simulated: Float32Array[]
}

export interface FitHooks {
  /** Trials of this very task that were made before, from the first on. */
  known?: readonly KeptTrial[]
  /** Given each new trial, in their order, before those of the next lot begin. */
  keep?(trials: readonly KeptTrial[]): void | Promise<void>
  onProgress?(done: number, of: number, best: number | null): void
  signal?: AbortSignal
}

/** What a fit gives besides what is told of it. */
export interface Fit {
  result: CalibrationResult
  /** The found values. */
  values: ParameterValue[]
  trials: KeptTrial[]
  /** What of the found set and of good trials is drawn, in the order of events and their series. */
  bands: SeriesBand[]
}

export interface SeriesBand {
  event: string
  use: 'calibration' | 'validation'
  series: string
  timesS: Float64Array
  measured: Float64Array
  before: Float64Array
  after: Float64Array
  /** Weighted 5 and 95 % of the good trials. */
  low: Float64Array
  high: Float64Array
}

/** Events of validation are computed again for at most so many good trials. */
const MOST_BAND_TRIALS = 20
const BAND = [0.05, 0.95]

class FitError extends RadxError {
  override readonly name = 'FitError'
  constructor(messageFr: string) {
    super('calibration.trials', 422, messageFr)
  }
}

/**
 * Fits parameters to what was measured at the events of calibration, and looks at those of validation, which the search never
 * sees. The same task gives the same answer, whatever the number of threads and wherever it was broken off.
 *
 * @throws FitError when nothing can be scored or no trial succeeds; the signal's reason when aborted
 */
export async function calibrate(task: FitTask, hooks: FitHooks = {}): Promise<Fit> {
  checkParameters(task.parameters)
  const scored = task.events.filter(({ use }) => use === 'calibration')
  if (!scored.some((event) => event.series.some(isScorable)))
    throw new FitError(
      'Aucune série mesurée ne peut être comparée pendant les épisodes de calage : il faut au moins cinq mesures qui varient, dans le temps de l’épisode. Vérifier dates, fuseau horaire et lieu.',
    )
  const before = valuesBefore(task)
  const bounds = task.parameters.map(boundOf)
  const search = new Search({ bounds, start: before, budget: task.runs, seed: task.seed })
  const threads = new TrialThreads(task.events, task.threads)
  try {
    const trials = await searched(task, search, threads, hooks)
    return await concluded(task, { trials, before, bounds, threads }, hooks.signal)
  } finally {
    await threads.close()
  }
}

/** Of each parameter what the catchment has. @throws ParameterError for one that changes nothing at an event */
export function valuesBefore({ parameters, events }: Pick<FitTask, 'parameters' | 'events'>): number[] {
  return parameters.map((parameter) => {
    const values = events.map((event) =>
      valueBefore(
        parameter,
        { catchment: event.catchment, classes: event.classes ?? event.catchment.classes },
        event.options,
      ),
    )
    return values[0]
  })
}

/** Decades are searched by decades unless someone says otherwise. */
export function boundOf({ min, max, scale }: CalibrationParameter): SearchBound {
  return { min, max, scale: scale ?? (min > 0 && max / min >= 5 ? 'log' : 'linear') }
}

const named = (task: Pick<FitTask, 'parameters'>, values: readonly number[]): ParameterValue[] =>
  task.parameters.map(({ kind, code }, k) => ({
    kind,
    ...(code !== undefined && { code }),
    value: values[k],
  }))

async function searched(
  task: FitTask,
  search: Search,
  threads: TrialThreads,
  { known = [], keep, onProgress, signal }: FitHooks,
): Promise<KeptTrial[]> {
  const trials: KeptTrial[] = []
  for (let lot = search.ask(); lot.length > 0; lot = search.ask()) {
    const old = known.slice(trials.length, trials.length + lot.length)
    const fresh = await computed(task, lot.slice(old.length), trials.length + old.length, threads, signal)
    if (fresh.length > 0) await keep?.(fresh)
    const told = [...old, ...fresh]
    trials.push(...told)
    search.tell(told.map(({ score }) => score ?? Number.NaN))
    const best = bestOf(trials)
    onProgress?.(trials.length, task.runs, best?.score ?? null)
  }
  return trials
}

async function computed(
  task: FitTask,
  points: readonly number[][],
  from: number,
  threads: TrialThreads,
  signal?: AbortSignal,
): Promise<KeptTrial[]> {
  const places = task.events.flatMap(({ use }, k) => (use === 'calibration' ? [k] : []))
  const orders = points.flatMap((values) => places.map((event) => ({ event, values: named(task, values) })))
  const answers = await threads.run(orders, signal)
  return points.map((values, k) => {
    const own = answers.slice(k * places.length, (k + 1) * places.length)
    const failed = own.find((answer) => !answer.ok)
    const trial = from + k
    if (failed && !failed.ok) return { trial, values, score: null, error: failed.message, simulated: [] }
    // As they are kept: a fit that goes on sees the same numbers as one that never ended.
    const simulated = own.flatMap((answer) =>
      answer.ok ? answer.simulated.map((course) => Float32Array.from(course)) : [],
    )
    const score = meanScore(
      places.map((place) => task.events[place]),
      simulated,
      task.objective,
    )
    return { trial, values, score, simulated }
  })
}

const isScorable = ({ timesS, values }: EventSetup['series'][number]): boolean =>
  (scoresOf(timesS, values, values)?.nse ?? null) !== null

/** Mean of the objective over all series; null where none can be scored. */
function meanScore(
  events: readonly EventSetup[],
  simulated: readonly ArrayLike<number>[],
  objective: CalibrationObjective,
): number | null {
  const series = events.flatMap((event) => event.series)
  const scores = series.flatMap((one, k) => {
    if (!isScorable(one)) return []
    const found = scoresOf(one.timesS, one.values, simulated[k])
    // A simulation that never varies is as bad as none.
    return found ? [found[objective] ?? -1] : []
  })
  return scores.length > 0 ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null
}

/** The best trial, the first of equals; null where all failed. */
function bestOf(trials: readonly KeptTrial[]): KeptTrial | null {
  return trials.reduce<KeptTrial | null>(
    (best, trial) =>
      trial.score !== null && trial.score > (best?.score ?? Number.NEGATIVE_INFINITY) ? trial : best,
    null,
  )
}

interface Searched {
  trials: KeptTrial[]
  before: number[]
  bounds: SearchBound[]
  threads: TrialThreads
}

async function concluded(
  task: FitTask,
  { trials, before, bounds, threads }: Searched,
  signal?: AbortSignal,
): Promise<Fit> {
  const best = bestOf(trials)
  if (best === null) {
    const said = trials.find(({ error }) => error)?.error
    throw new FitError(`Aucun essai n’a pu être calculé et comparé aux mesures.${said ? ` ${said}` : ''}`)
  }
  const good = behavioural(
    trials.map(({ score }) => score ?? Number.NaN),
    task.threshold,
  )
  const was = await simulateAll(task, before, threads, signal)
  // What the best trial gives lies bit for bit where it was, on the events of calibration too.
  const is = await simulateAll(task, best.values, threads, signal)
  const cloud = await cloudOf(task, trials, good, threads, signal)
  const { bands, scores } = compared(task, was, is, cloud)
  const fitted = task.parameters.map(({ kind, code }, k): FittedParameter => {
    const tried = good.trials.map((trial) => trials[trial].values[k])
    const [low, median, high] = weightedQuantiles(tried, good.weights, [0.05, 0.5, 0.95])
    return {
      kind,
      ...(code !== undefined && { code }),
      value: best.values[k],
      before: before[k],
      ...bounds[k],
      low,
      median,
      high,
    }
  })
  const mean = (use: EventSetup['use'], of: 'before' | 'after') => meanOf(scores, use, of, task.objective)
  const result: CalibrationResult = {
    objective: task.objective,
    seed: task.seed,
    trials: trials.length,
    failed: trials.filter(({ score }) => score === null).length,
    parameters: fitted,
    before: { calibration: mean('calibration', 'before'), validation: mean('validation', 'before') },
    after: { calibration: mean('calibration', 'after'), validation: mean('validation', 'after') },
    good: good.trials.length,
    threshold: good.threshold,
    scores,
    warnings: [],
  }
  result.warnings = warningsOf(result, task.events[0].classes ?? task.events[0].catchment.classes)
  return { result, values: named(task, best.values), trials, bands }
}

/** All events with these values: courses of their series in one list. @throws FitError where the engine would not */
async function simulateAll(
  task: FitTask,
  values: readonly number[],
  threads: TrialThreads,
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const orders = task.events.map((_, event) => ({ event, values: named(task, values) }))
  const answers = await threads.run(orders, signal)
  return answers.flatMap((answer, k) => {
    if (answer.ok) return answer.simulated
    throw new FitError(`L’épisode ${task.events[k].name} ne peut être calculé : ${answer.message}`)
  })
}

interface Cloud {
  weights: number[]
  /** By trial, courses of all series of all events. */
  courses: (ArrayLike<number> | null)[][]
}

/** Good trials on all events: kept courses of those of calibration, new ones of those of validation. */
async function cloudOf(
  task: FitTask,
  trials: readonly KeptTrial[],
  good: { trials: number[]; weights: number[] },
  threads: TrialThreads,
  signal?: AbortSignal,
): Promise<Cloud> {
  const isNew = task.events.some(({ use }) => use === 'validation')
  const ranked = good.trials
    .map((trial, k) => ({ trial, weight: good.weights[k] }))
    .sort((a, b) => b.weight - a.weight || a.trial - b.trial)
  // Of a ranked list every so many: the cloud keeps its width.
  const taken = isNew ? every(ranked, MOST_BAND_TRIALS) : ranked
  const validation = task.events.flatMap(({ use }, k) => (use === 'validation' ? [k] : []))
  const orders = taken.flatMap(({ trial }) =>
    validation.map((event) => ({ event, values: named(task, trials[trial].values) })),
  )
  const answers = await threads.run(orders, signal)
  const courses = taken.map(({ trial }, k) => {
    const kept = [...trials[trial].simulated]
    const fresh = answers.slice(k * validation.length, (k + 1) * validation.length)
    return task.events.flatMap(({ use, series }): (ArrayLike<number> | null)[] => {
      if (use === 'calibration') return kept.splice(0, series.length)
      const answer = fresh.shift()!
      return answer.ok ? answer.simulated : series.map(() => null)
    })
  })
  return { weights: taken.map(({ weight }) => weight), courses }
}

function every<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, k) => list[Math.floor((k * list.length) / most)])
}

function compared(
  { events }: FitTask,
  was: readonly Float64Array[],
  is: readonly Float64Array[],
  { weights, courses }: Cloud,
): { bands: SeriesBand[]; scores: SeriesScores[] } {
  const bands: SeriesBand[] = []
  const scores: SeriesScores[] = []
  let at = 0
  for (const { name: event, use, series } of events)
    for (const { name, quantity, timesS, values } of series) {
      const [low, high] = [timesS, timesS].map((times) => new Float64Array(times.length))
      const own = courses.map((all) => all[at])
      timesS.forEach((_, moment) => {
        const tried = own.map((course) => course?.[moment] ?? Number.NaN)
        ;[low[moment], high[moment]] = weightedQuantiles(tried, weights, BAND)
      })
      const [before, after] = [was[at], is[at]]
      const about = { event, use, series: name }
      bands.push({ ...about, timesS, measured: values, before, after, low, high })
      scores.push({
        ...about,
        quantity,
        before: scoresOf(timesS, values, before),
        after: scoresOf(timesS, values, after),
        coverage: inside(values, low, high),
      })
      at++
    }
  return { bands, scores }
}

/** Share of the measured moments inside a band. */
function inside(values: Float64Array, low: Float64Array, high: Float64Array): number | null {
  let [known, within] = [0, 0]
  values.forEach((value, k) => {
    if (Number.isNaN(value) || Number.isNaN(low[k])) return
    known++
    if (value >= low[k] && value <= high[k]) within++
  })
  return known > 0 ? within / known : null
}

function meanOf(
  scores: readonly SeriesScores[],
  use: EventSetup['use'],
  of: 'before' | 'after',
  objective: CalibrationObjective,
): number | null {
  const own = scores.flatMap((one): number[] => {
    if (one.use !== use) return []
    const found: Scores | null = one[of]
    return found && found.nse !== null ? [found[objective] ?? -1] : []
  })
  return own.length > 0 ? own.reduce((sum, score) => sum + score, 0) / own.length : null
}
