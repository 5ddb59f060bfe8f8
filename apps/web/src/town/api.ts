import type { Town } from '@radx/contracts/town'
import { TOWN_OUTSIDE } from '@radx/contracts/town-constants'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../app/api/client.ts'

/** Which ground: a catchment with a land use on it, that of the catchment itself where none is named. */
export interface TownOf {
  catchmentId: string
  luseId?: string
}

/** A town's ground, cell by cell: `[row * ncols + col]`, row 0 north. */
export interface TownGrid extends Town {
  /** m, NaN outside the model. */
  elevationM: Float32Array
  /** Places in `classes`; 255 outside. */
  land: Uint8Array
}

/** A grid over a whole town on a slow line. */
const TIMEOUT_MS = 120_000

export const townQuery = ({ catchmentId, luseId }: TownOf) =>
  queryOptions({
    queryKey: ['town', catchmentId, luseId ?? ''],
    queryFn: async ({ signal }): Promise<TownGrid> => {
      const path = `/api/multihydro/${encodeURIComponent(catchmentId)}/town`
      const asked = { query: { luseId }, signal, timeoutMs: TIMEOUT_MS }
      const [town, bytes] = await Promise.all([
        callJson<Town>(path, asked),
        send(`${path}/grid`, asked).then((response) => response.arrayBuffer()),
      ])
      return { ...town, ...cellsOf(town, bytes) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    // Numbers by the million are not worth comparing.
    structuralSharing: false,
  })

/** @throws RangeError when the bytes are not those of the grid */
export function cellsOf(
  { place, elevation: { minM, stepM } }: Pick<Town, 'place' | 'elevation'>,
  bytes: ArrayBuffer,
): Pick<TownGrid, 'elevationM' | 'land'> {
  const cells = place.nrows * place.ncols
  if (bytes.byteLength !== 3 * cells) throw new RangeError(`${bytes.byteLength} bytes for ${cells} cells`)
  const codes = new Uint16Array(bytes, 0, cells)
  const elevationM = new Float32Array(cells)
  for (let k = 0; k < cells; k++)
    elevationM[k] = codes[k] === TOWN_OUTSIDE ? Number.NaN : minM + stepM * codes[k]
  return { elevationM, land: new Uint8Array(bytes, 2 * cells) }
}
