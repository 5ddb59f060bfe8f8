import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RadxError } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import type { Rain } from '@radx/hydrology/rain/rain'
import { rainEverywhere } from '../networks/model/forcing.ts'
import { setDuration } from '../networks/model/simulate.ts'
import { catchmentJsonOf } from '../simulation/catchment/catchment-package.ts'
import { loadRain, type RainSource } from '../simulation/rain/rain-source.ts'
import { EXIT } from './command.ts'
import { createProgressLine } from './sewer/progress.ts'
import { endedEarly, runSewer } from './sewer-run.ts'

/** A catchment that has a network and no ground: its subcatchments stand for the surface. */
export const isWithoutGround = (dir: string): boolean =>
  existsSync(join(dir, 'network.inp')) &&
  !existsSync(join(dir, 'elevation.asc')) &&
  !existsSync(join(dir, 'luse.asc'))

/**
 * Simulates such a catchment for as long as the rain lasts, and writes what `radx sewer` writes.
 * @returns exit code
 * @throws RadxError for a network without subcatchments, what `runSewer` throws
 */
export async function simulateNetwork(dir: string, source: RainSource, out: string): Promise<number> {
  console.error(
    'attention : ce bassin n’a ni elevation.asc ni luse.asc ; le ruissellement est celui des bassins versants de network.inp.',
  )
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    const { summary, stopped } = await runSewer({
      network: join(dir, 'network.inp'),
      out: resolve(out),
      series: [],
      signal: stop.signal,
      onWarning: (text) => console.error(`attention : ${text}`),
      onProgress: createProgressLine(process.stderr),
      rain: (model) => putRain(dir, source, model),
    })
    if (stopped) console.error(endedEarly(stopped))
    console.log(summary)
    if (!stopped) return EXIT.ok
    return stopped.reason === 'interrupted' ? EXIT.interrupted : EXIT.failed
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function putRain(dir: string, source: RainSource, model: InpResult): Promise<string[]> {
  const { runoff } = model
  if (!runoff || runoff.subcatchments.length === 0)
    throw new RadxError(
      'network.noGage',
      422,
      `${dir} n’a ni terrain ni bassin versant dans network.inp : la pluie ne tombe nulle part. Ajoutez elevation.asc et luse.asc, ou des [SUBCATCHMENTS].`,
    )
  if (source.kind === 'radar' || source.kind === 'event') return putRadar(dir, source, model)
  const rain = await loadRain(source, NO_GRID, '', null)
  setDuration(model, rain.durationS)
  rainEverywhere(runoff, rain.intervalS, ratesOf(rain))
  return []
}

/** Rain that is the same everywhere needs no cells. */
const NO_GRID = {
  ncols: 0,
  nrows: 0,
  xll: 0,
  yll: 0,
  cellSize: 1,
  noData: Number.NaN,
  data: new Float64Array(0),
}

const ratesOf = (rain: Rain): number[] =>
  Array.from({ length: rain.edgesS.length - 1 }, (_, k) => (rain.rateMS(k) as number) * 3.6e6)

/** Radar rain falls on each subcatchment where it lies, by the system that catchment.json names. */
async function putRadar(
  dir: string,
  source: Extract<RainSource, { kind: 'radar' | 'event' }>,
  model: InpResult,
): Promise<string[]> {
  const crs = crsOf(dir)
  // Loaded on use: other rain needs neither the database nor its libraries.
  const [{ radarOnPlaces }, { openStore }, { withDatabase }] = await Promise.all([
    import('../networks/radar-rain.ts'),
    import('../store/open-store.ts'),
    import('./with-database.ts'),
  ])
  let told: string[] = []
  await withDatabase(async ({ db, config, site, catchments }) => {
    const period = source.kind === 'radar' ? source : site.events.find(({ id }) => id === source.event)
    if (!period)
      throw new RadxError('rain.event', 422, 'Cet évènement n’est pas dans site.json. Corrigez --event.')
    setDuration(model, (Date.parse(period.end) - Date.parse(period.start)) / 1000)
    const store = await openStore({ db, config, site, catchments })
    told = await radarOnPlaces(period, model, crs, store, (line) => console.error(line))
    return EXIT.ok
  })
  return told
}

/** Null where there is no catchment.json, or it names none. @throws FormatError where it is no JSON */
function crsOf(dir: string): string | null {
  const file = join(dir, 'catchment.json')
  if (!existsSync(file)) return null
  const said = catchmentJsonOf(readFileSync(file, 'utf8')) as { crs?: unknown } | null
  return typeof said?.crs === 'string' ? said.crs : null
}
