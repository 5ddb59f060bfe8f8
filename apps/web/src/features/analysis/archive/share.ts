import type { PublicSite } from '@radx/contracts/site'
import type { Scheme } from '../../../map/basemap.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { rainFilm, rainLegend } from '../../../share/rain.ts'
import type { ShareSubject } from '../../../share/subject.ts'
import { attributionText, stamp, zonedFr } from '../../../share/words.ts'
import { shareTexts as texts } from '../../../texts/share.ts'
import type { SeenArchive } from './ShareArchive.tsx'
import { currentImage, useArchive } from './store.ts'

interface Seen extends SeenArchive {
  radx: RadxMap
  site: PublicSite
  scheme: Scheme
}

/** What the archive's map shows, an image or the accumulation of its period; the animation is of the images. */
export function archiveSubject(seen: Seen): ShareSubject | null {
  const { radx, site, scheme, frames, times, opacity, quality, period, cumul } = seen
  const at = currentImage(useArchive.getState())?.datetime
  if (at === undefined) return null
  const { timeZone } = site
  const { product } = frames.grid
  const film = rainFilm({
    store: frames,
    kind: quality ? 'quality' : 'intensity',
    title: quality ? texts.quality(product) : texts.rain(product),
    ...{ times, scheme, opacity, timeZone },
  })
  const { s, e } = period
  return {
    radx,
    title: cumul ? texts.cumul(product) : film.title,
    clock: cumul ? `${zonedFr(s, timeZone)} – ${zonedFr(e, timeZone)}` : zonedFr(at, timeZone),
    legend: cumul ? rainLegend('accumulation', scheme) : film.legend,
    attribution: attributionText(site),
    fileName: `${site.id}-${texts.radar}-${product}-${stamp(cumul ? s : at)}`,
    film,
    // A chosen period is for who is signed in, and a page of another site has no session.
    embed: null,
  }
}
