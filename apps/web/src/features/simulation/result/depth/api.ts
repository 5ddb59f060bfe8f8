import type { DepthFrames, FloodCourse, RainFrames } from '@radx/contracts/flood'
import { MAX_DEPTH_FRAMES } from '@radx/contracts/flood-constants'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../../app/api/client.ts'

/** A grid over a whole town on a slow line. */
const TIMEOUT_MS = 120_000
/** Files of a finished run never change; long ones are not kept for long. */
const kept = { staleTime: Number.POSITIVE_INFINITY, gcTime: 5 * 60_000 }

export const depthFramesQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['depth-frames', jobId],
    queryFn: ({ signal }) => callJson<DepthFrames>(`/api/multihydro/file/${jobId}/depth`, { signal }),
    ...kept,
  })

/** A chunk of a fine grid has fewer frames: it shall come in a moment and not fill the memory, cells. */
const CHUNK_CELLS = 8_000_000

/** Frames of a chunk, by the cells of one. */
export const chunkFrames = ({ nrows, ncols }: { nrows: number; ncols: number }): number =>
  Math.max(2, Math.min(MAX_DEPTH_FRAMES, Math.floor(CHUNK_CELLS / Math.max(1, nrows * ncols))))

/** From when on each picture of the rain held, where a run has kept it cell by cell. */
export const rainFramesQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['rain-frames', jobId],
    queryFn: ({ signal }) => callJson<RainFrames>(`/api/multihydro/file/${jobId}/rain`, { signal }),
    ...kept,
  })

/** What is kept of the cells over time: depths in mm, rain in tenths of mm/h. */
export type FramesOf = 'depth' | 'rain'

/** A chunk of frames, one after the other, `[row * ncols + col]`, 65535 outside. @param frames a chunk */
export const chunkQuery = (of: FramesOf, jobId: string, chunk: number, frames: number) =>
  queryOptions({
    queryKey: ['frames-chunk', of, jobId, chunk],
    queryFn: async ({ signal }) => {
      const response = await send(`/api/multihydro/file/${jobId}/${of}/frames`, {
        query: { from: chunk * frames, to: (chunk + 1) * frames },
        signal,
        timeoutMs: TIMEOUT_MS,
      })
      return new Uint16Array(await response.arrayBuffer())
    },
    ...kept,
    // Numbers by the million are not worth comparing.
    structuralSharing: false,
  })

/** Chunks beside the one that plays that are kept, besides the first, where the run starts again. */
const NEAR_CHUNKS = 2

/** Lets go of the chunks far from the one that plays: those of two days have some hundred megabytes. */
export function forgetFarChunks(client: QueryClient, of: FramesOf, jobId: string, here: number): void {
  client.removeQueries({
    queryKey: ['frames-chunk', of, jobId],
    type: 'inactive',
    predicate: ({ queryKey: [, , , chunk] }) => chunk !== 0 && Math.abs(Number(chunk) - here) > NEAR_CHUNKS,
  })
}

export const courseQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['flood-course', jobId],
    queryFn: ({ signal }) =>
      callJson<FloodCourse>(`/api/multihydro/file/${jobId}/course`, { signal, timeoutMs: TIMEOUT_MS }),
    ...kept,
  })

/** The picture of a land-use file, a pixel a cell, as an address of this page. */
export const luseImageQuery = (luseId: string) =>
  queryOptions({
    queryKey: ['luse-picture', luseId],
    queryFn: async ({ signal }) => {
      const { path } = await callJson<{ path: string }>(`/api/multihydro/file/${luseId}/imageluse`, {
        signal,
      })
      return createImageBitmap(await (await send(path, { signal })).blob())
    },
    ...kept,
    structuralSharing: false,
  })
