import { type NetworkRain, RadxError } from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { formatSpan } from '@radx/locale/duration'
import { countFr, formatQuantityFr } from '@radx/locale/format-fr'
import type { Config } from '../config/config.ts'
import { type LoadedSite, loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import { readSelection, runningMm, type Selection } from '../exports/api.ts'
import { createLogger } from '../log.ts'
import { adjustedFr, StoredRain } from '../simulation/api.ts'
import { RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { placeRain } from './model/placed-rain.ts'
import { isPlaced, type RainPlaces, rainPlaces } from './model/rain-places.ts'

/** Length of a value of the series, s. */
const STEP_S = 60

type Radar = Extract<NetworkRain, { kind: 'radar' }>

/** Opens the archive while `use` runs. */
export async function withArchive<T>(
  config: Config,
  use: (store: Store, catchments: LoadedSite['catchments']) => Promise<T>,
): Promise<T> {
  const { site, catchments } = await loadSite(config.siteDir, config.demo)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  try {
    return await use(await openStore({ db: database.db, config, site, catchments }), catchments)
  } finally {
    await database.close()
  }
}

const gone = () =>
  new RadxError('network.rain', 422, 'Ce produit ou ce bassin n’existe plus. Choisissez une autre pluie.')

const lacking = (share: number): string[] =>
  share > 0.001
    ? [
        `L’archive manque ${formatQuantityFr(100 * share, '%', 1)} de la période : il n’y tombe rien dans ce calcul.`,
      ]
    : []

/**
 * Puts the rain of a period onto the subcatchments of a model, each where it lies, as it moved between images.
 * @param crs system of the file's positions; null for degrees
 * @returns what is to be told of it, French
 * @throws RadxError without any frame, or where no position is a place on Earth
 */
export async function radarOnPlaces(
  rain: Omit<Radar, 'kind' | 'catchment'>,
  model: InpResult,
  crs: string | null,
  store: Store,
  log: (line: string) => void,
): Promise<string[]> {
  const { runoff } = model
  const product = store.catalog.products.get(rain.product)
  if (!product) throw gone()
  if (!runoff) return []
  if (!isPlaced(model, crs))
    throw new RadxError(
      'network.place',
      422,
      'On ne sait pas où est ce réseau. Donnez le système de coordonnées de ses positions, ou choisissez la moyenne d’un bassin du site.',
    )
  const places = rainPlaces(model, crs, product)
  if (places === null)
    throw new RadxError(
      'network.place',
      422,
      `Aucune position de ce réseau n’est un lieu${crs === null ? '' : ` en ${crs}`}. Corrigez son système de coordonnées, ou choisissez la moyenne d’un bassin du site.`,
    )
  const radarCells = [...new Set([places.box, ...places.of].flatMap((cells) => cells?.cells ?? []))]
  const { product: name, start, end } = rain
  const measured = await new StoredRain(store, []).cellRain({ product: name, start, end }, radarCells)
  const { frames, durationS, method, adjusted } = measured
  const { stepS, missingShare, series } = placeRain(runoff, places, frames, { radarCells, durationS })
  log(
    `Pluie radar ${product.shortName}, ${RAIN_METHOD_FR[method]} : ${countFr(places.byOutline, 'bassin')} par leur contour, ${places.byOutlet} par leur exutoire, ${countFr(series, 'série')}`,
  )
  log(`Ajustement aux pluviomètres : ${adjustedFr(adjusted)}`)
  return [...toldOf(places, stepS), ...lacking(missingShare)]
}

function toldOf({ byBox, outside, of }: RainPlaces, stepS: number): string[] {
  const some = (names: string[]) =>
    `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` et ${countFr(names.length - 5, 'autre')}` : ''}`
  return [
    ...(byBox.length > 0
      ? [
          `${countFr(byBox.length, 'bassin')} sans contour ni exutoire placé : la pluie radar y est la moyenne de l’emprise du réseau (${some(byBox)}).`,
        ]
      : []),
    ...(outside.length > 0
      ? [
          outside.length === of.length
            ? 'Tout le réseau est hors de l’image radar : il n’y pleut pas. Vérifiez son système de coordonnées.'
            : `${countFr(outside.length, 'bassin')} hors de l’image radar : il n’y pleut pas (${some(outside)}).`,
        ]
      : []),
    ...(stepS > STEP_S
      ? [
          `La pluie radar tient ${formatSpan(stepS)} par valeur : minute par minute, elle serait trop volumineuse.`,
        ]
      : []),
  ]
}

/**
 * Mean rain over a catchment of the site in a period, as the exports total it: mm/h a minute, dry where the archive has
 * nothing, which is told.
 * @throws RadxError without any frame
 */
export async function radarSeries(
  rain: Radar,
  config: Config,
  log: (line: string) => void,
): Promise<{ stepS: number; mmH: number[]; told: string[] }> {
  return withArchive(config, async (store, catchments) => {
    const product = store.catalog.products.get(rain.product)
    const zone = catchments.get(rain.catchment ?? '')
    if (!product || !zone) throw gone()
    const span = { startMs: Date.parse(rain.start), endMs: Date.parse(rain.end) }
    const selection = await readSelection(store, product, span, zone)
    if (selection.frames.length === 0)
      throw new RadxError(
        'network.rain',
        422,
        'L’archive n’a aucune image pour cette période. Choisissez-en une autre.',
      )
    log(`Pluie radar ${product.shortName} sur ${zone.name}, ${RAIN_METHOD_FR[selection.method]}`)
    const missing = (1000 * selection.time.missingSeconds) / (span.endMs - span.startMs)
    return { stepS: STEP_S, mmH: minutesOf(selection), told: lacking(missing) }
  })
}

/** What each frame brings to the total, spread over the time that it stands for. */
function minutesOf(selection: Selection): number[] {
  const { frames, span, time } = selection
  const running = runningMm(selection, 'catchment')
  const minutes = new Array<number>(Math.ceil((span.endMs - span.startMs) / 1000 / STEP_S)).fill(0)
  const at = (i: number) => (frames[i].timeMs - span.startMs) / 1000
  const wholeS = (span.endMs - span.startMs) / 1000
  frames.forEach((_, i) => {
    const mm = running[i] - (i > 0 ? running[i - 1] : 0)
    const seconds = time.seconds[i]
    if (!(mm > 0) || !(seconds > 0)) return
    const middle = i > 0 ? (at(i - 1) + at(i)) / 2 : at(i) - seconds / 2
    const from = Math.min(Math.max(0, middle, at(i) - seconds), wholeS - seconds)
    spread(minutes, Math.max(0, from), seconds, mm)
  })
  return minutes.map((mm) => (mm * 3600) / STEP_S)
}

function spread(bins: number[], fromS: number, lastsS: number, amount: number): void {
  const toS = fromS + lastsS
  for (let b = Math.floor(fromS / STEP_S); b < bins.length && b * STEP_S < toS; b++)
    bins[b] += (amount * (Math.min(toS, (b + 1) * STEP_S) - Math.max(fromS, b * STEP_S))) / lastsS
}
