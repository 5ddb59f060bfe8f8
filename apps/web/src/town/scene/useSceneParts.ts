import { useQuery } from '@tanstack/react-query'
import type { TownGrid, TownOf } from '../api.ts'
import { HOUSE_CODE } from '../paint-ground.ts'
import type { SceneAsked, SceneParts } from './scene.worker.ts'

/** Nobody told how high the houses are: all have this height over their ground, m. */
export const RIDGE_M = 6

/** Ground and buildings of a town in three dimensions, made beside the page: a large one takes a second. */
export function useSceneParts(town: TownGrid | undefined, { catchmentId, luseId }: TownOf) {
  return useQuery({
    queryKey: ['town-scene', catchmentId, luseId ?? ''],
    queryFn: ({ signal }) => partsOf(town as TownGrid, signal),
    enabled: town !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
    retry: false,
  })
}

async function partsOf(
  { place: { nrows, ncols }, elevationM, land, classes }: TownGrid,
  signal: AbortSignal,
): Promise<SceneParts> {
  const worker = new Worker(new URL('./scene.worker.ts', import.meta.url), { type: 'module' })
  const houses = classes.flatMap(({ code }, k) => (code === HOUSE_CODE ? [k] : []))
  try {
    return await new Promise<SceneParts>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.onmessage = ({ data }: MessageEvent<SceneParts>) => resolve(data)
      worker.onerror = () => reject(new Error('the scene could not be made'))
      worker.postMessage({
        elevationM,
        land,
        houses,
        nrows,
        ncols,
        ridgeM: RIDGE_M,
      } satisfies SceneAsked)
    })
  } finally {
    worker.terminate()
  }
}
