import { useQuery } from '@tanstack/react-query'
import type { TownGrid } from './api.ts'
import type { LinesAsked, LinesFound } from './contours.worker.ts'
import { type Lines, lngLatAt } from './lines.ts'

interface LineFeatures {
  type: 'FeatureCollection'
  features: {
    type: 'Feature'
    properties: { kind: 'outline' | 'contour' | 'main'; levelM: number }
    geometry: { type: 'MultiLineString'; coordinates: [number, number][][] }
  }[]
}

export interface TownLines {
  features: LineFeatures
  /** Between two contour lines, m. */
  stepM: number
}

/** Every so many contour lines one is drawn stronger. */
const MAIN_EVERY = 5

/** Outline and contour lines of a town, made beside the page: a large one takes a second. */
export function useTownLines(town: TownGrid | undefined, key: string): TownLines | undefined {
  return useQuery({
    queryKey: ['town-lines', key],
    queryFn: ({ signal }) => linesOf(town as TownGrid, signal),
    enabled: town !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    structuralSharing: false,
    retry: false,
  }).data
}

async function linesOf({ place, elevationM }: TownGrid, signal: AbortSignal): Promise<TownLines> {
  const worker = new Worker(new URL('./contours.worker.ts', import.meta.url), { type: 'module' })
  try {
    const found = await new Promise<LinesFound>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.onmessage = ({ data }: MessageEvent<LinesFound>) => resolve(data)
      worker.onerror = () => reject(new Error('the contour lines could not be made'))
      worker.postMessage({ elevationM, nrows: place.nrows, ncols: place.ncols } satisfies LinesAsked)
    })
    return { features: featuresOf(found, place), stepM: found.stepM }
  } finally {
    worker.terminate()
  }
}

function featuresOf({ outline, stepM, contours }: LinesFound, place: TownGrid['place']): LineFeatures {
  const feature = (kind: 'outline' | 'contour' | 'main', levelM: number, lines: Lines) => ({
    type: 'Feature' as const,
    properties: { kind, levelM },
    geometry: {
      type: 'MultiLineString' as const,
      coordinates: lines.map((line) =>
        Array.from({ length: line.length / 2 }, (_, k) => lngLatAt(place, line[2 * k], line[2 * k + 1])),
      ),
    },
  })
  return {
    type: 'FeatureCollection',
    features: [
      feature('outline', 0, outline),
      ...contours.map(({ levelM, lines }) =>
        feature(Math.round(levelM / stepM) % MAIN_EVERY === 0 ? 'main' : 'contour', levelM, lines),
      ),
    ],
  }
}
