import { type NetworkRain, RadxError } from '@radx/contracts'
import { formatQuantityFr } from '@radx/locale/format-fr'
import type { Config } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import { openDatabase } from '../db/database.ts'
import { readSelection, runningMm, type Selection } from '../exports/api.ts'
import { createLogger } from '../log.ts'
import { RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import { openStore } from '../store/open-store.ts'

/** Length of a value of the series, s. */
const STEP_S = 60

/**
 * Mean rain over a catchment of the site in a period, as the exports total it: mm/h a minute, dry where the archive has
 * nothing, which is told.
 * @throws RadxError without any frame
 */
export async function radarSeries(
  rain: Extract<NetworkRain, { kind: 'radar' }>,
  config: Config,
  log: (line: string) => void,
): Promise<{ stepS: number; mmH: number[]; told: string[] }> {
  const { site, catchments } = await loadSite(config.siteDir)
  const database = await openDatabase(config, { log: createLogger('silent'), poolSize: 2 })
  try {
    const store = await openStore({ db: database.db, config, site, catchments })
    const product = store.catalog.products.get(rain.product)
    const zone = catchments.get(rain.catchment)
    if (!product || !zone)
      throw new RadxError(
        'network.rain',
        422,
        'Ce produit ou ce bassin n’existe plus. Choisissez une autre pluie.',
      )
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
    return {
      stepS: STEP_S,
      mmH: minutesOf(selection),
      told:
        missing > 0.001
          ? [
              `L’archive manque ${formatQuantityFr(100 * missing, '%', 1)} de la période : il n’y tombe rien dans ce calcul.`,
            ]
          : [],
    }
  } finally {
    await database.close()
  }
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
