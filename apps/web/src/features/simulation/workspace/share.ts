import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'
import { runStartMs } from '@radx/contracts/simulation-constants'
import type { PublicSite } from '@radx/contracts/site'
import type { QueryClient } from '@tanstack/react-query'
import type { RadxMap } from '../../../map/createMap.ts'
import { useClock } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import type { FilmSubject, ShareSubject } from '../../../share/subject.ts'
import { attributionText, zonedFr } from '../../../share/words.ts'
import { shareTexts as texts } from '../../../texts/share.ts'
import { townTexts } from '../../../texts/town.ts'
import { townQuery } from '../../../town/api.ts'
import { paletteOf } from '../../../town/WaterFrames.ts'
import { townOfRun } from '../api.ts'
import { chunkFrames, chunkQuery } from '../result/depth/api.ts'
import { SEWER_LAYERS } from './SewerOverlay.tsx'
import type { SeenRun } from './ShareRun.tsx'

/** Water of the map, at a moment or over the whole run, and rain. */
const WATER = ['radx-water', 'radx-depth', 'radx-rain']
const OPACITY = 0.9
/** Fewer kept moments than this are filled up with those between them, in proportion, as the page's own clock does. */
const FEW = 60

interface Seen extends SeenRun {
  radx: RadxMap
  site: PublicSite
  client: QueryClient
}

/** A result as its map shows it; the animation is of the depths. */
export function runSubject(seen: Seen): ShareSubject {
  const { radx, site, client, job, title, isNow, bands } = seen
  // Virtual rain fell on no day.
  const startMs = job.input.rainfallSelection === 'virtual' ? null : runStartMs(job.input)
  const clock = (timeS: number) =>
    startMs === null
      ? texts.elapsed(formatElapsed(timeS))
      : `${zonedFr(startMs + 1000 * timeS, site.timeZone)}, ${formatElapsed(timeS)}`
  const town = client.getQueryData(townQuery(townOfRun(job)).queryKey)
  return {
    radx,
    title: job.input.title,
    clock: isNow ? clock(useClock.getState().timeS) : title,
    legend: { title, unit: '', classes: bands },
    attribution: attributionText(site, town?.attribution),
    fileName: `${site.id}-${texts.simulation}-${job.id.slice(0, 8)}`,
    film: depthFilm(seen, clock),
    // A run is for who is signed in, and a page of another site has no session.
    embed: null,
  }
}

function depthFilm(
  { client, job, place, timesS, water, waterBands }: Seen,
  clock: (timeS: number) => string,
): FilmSubject | null {
  if (timesS === undefined || timesS.length < 2) return null
  const { nrows, ncols, corners } = place
  const cells = nrows * ncols
  const size = chunkFrames(place)
  const steps = Math.max(1, Math.ceil(FEW / timesS.length))
  const between = (moment: number) => {
    const before = Math.min(timesS.length - 1, Math.floor(moment / steps))
    const after = Math.min(timesS.length - 1, before + 1)
    return { before, after, share: (moment % steps) / steps }
  }
  const frame = async (k: number): Promise<Uint16Array> => {
    const chunk = Math.floor(k / size)
    const data = await client.fetchQuery(chunkQuery('depth', job.id, chunk, size))
    const from = (k - chunk * size) * cells
    return data.subarray(from, from + cells)
  }
  return {
    title: texts.depth(job.input.title),
    legend: { title: townTexts.depth, unit: '', classes: waterBands },
    count: steps * (timesS.length - 1) + 1,
    nrows,
    ncols,
    place: ({ project }) => ({
      kind: 'quad',
      corners: [project(corners.nw), project(corners.ne), project(corners.se), project(corners.sw)],
    }),
    look: {
      palette: paletteOf(water),
      noData: { code: DEPTH_FRAME_NO_DATA, color: [0, 0, 0, 0] },
      opacity: OPACITY,
      edge: null,
    },
    clock: (moment) => {
      const { before, after, share } = between(moment)
      return clock(timesS[before] + share * (timesS[after] - timesS[before]))
    },
    codes: async (moment, signal) => {
      const { before, after, share } = between(moment)
      const [first, second] = [await frame(before), await frame(after)]
      signal.throwIfAborted()
      const mixed = new Uint16Array(cells)
      for (let k = 0; k < cells; k++)
        mixed[k] =
          first[k] === DEPTH_FRAME_NO_DATA || second[k] === DEPTH_FRAME_NO_DATA
            ? DEPTH_FRAME_NO_DATA
            : first[k] + share * (second[k] - first[k])
      return mixed
    },
    moving: [...WATER, ...SEWER_LAYERS],
  }
}
