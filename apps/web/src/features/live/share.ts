import type { PublicSite } from '@radx/contracts/site'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Scheme } from '../../map/basemap.ts'
import type { RadxMap } from '../../map/createMap.ts'
import type { FrameCache } from '../../map/frames/FrameCache.ts'
import { rainFilm } from '../../share/rain.ts'
import type { ShareSubject } from '../../share/subject.ts'
import { attributionText, stamp, zonedFr } from '../../share/words.ts'
import { shareTexts as texts } from '../../texts/share.ts'
import { useFuture } from './future/store.ts'
import type { Ahead } from './future/useAhead.ts'
import { currentImage, useLive } from './state/store.ts'

interface Seen {
  radx: RadxMap
  site: PublicSite
  scheme: Scheme
  ahead: Ahead | null
  store: FrameCache
  times: readonly string[]
  quality: boolean
  /** 0 to 100. */
  opacity: number
}

/** What the live map shows; null before its first image. */
export function liveSubject(seen: Seen): ShareSubject | null {
  const { radx, site, scheme, ahead, opacity } = seen
  const at = ahead?.time ?? currentImage(useLive.getState())?.datetime
  if (at === undefined) return null
  const { timeZone, defaultProduct } = site
  const { product } = (ahead?.frames ?? seen.store).grid
  const issued = zonedFr(useFuture.getState().forecast?.issued ?? at, timeZone)
  const chance = ahead !== null && ahead.view !== 'rain' ? ahead.view : null
  const title =
    ahead === null
      ? seen.quality
        ? texts.quality(product)
        : texts.rain(product)
      : chance === null
        ? texts.forecast(issued)
        : texts.chance(formatNumberFr(chance, 1, true), issued)
  const film = rainFilm({
    store: ahead?.frames ?? seen.store,
    times: ahead?.times ?? seen.times,
    kind: chance !== null ? 'probability' : seen.quality && ahead === null ? 'quality' : 'intensity',
    above: chance ?? undefined,
    ...{ scheme, opacity, title, timeZone },
  })
  return {
    radx,
    title,
    clock: zonedFr(at, timeZone),
    legend: film.legend,
    attribution: attributionText(site),
    fileName: `${site.id}-${ahead ? 'prevision' : texts.radar}-${product}-${stamp(at)}`,
    film,
    embed: product === defaultProduct ? '/embed/direct' : `/embed/direct?p=${encodeURIComponent(product)}`,
  }
}
