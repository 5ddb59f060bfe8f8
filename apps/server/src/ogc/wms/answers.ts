import { zstdDecompressSync } from 'node:zlib'
import { productOf } from '../../radar/api.ts'
import type { Store } from '../../store/open-store.ts'
import type { AnswerKind } from '../../threads/answers.ts'
import { CRS } from '../crs.ts'
import { paint, picturePng } from './picture.ts'
import type { MapWindow } from './request.ts'

/** A picture of the frame of an instant. */
export interface WmsPicture {
  p: string
  timeMs: number
  /** The ground, its reference system by code. */
  window: Omit<MapWindow, 'crs'> & { crs: string }
  ground: string | null
  noData: boolean
}

/** @throws StoreCorruptError */
export async function wmsPicture(
  store: Store,
  { p, timeMs, window, ground, noData }: WmsPicture,
): Promise<Uint8Array> {
  const product = productOf(store, { p })
  const places = await store.index.places(product, { startMs: timeMs, endMs: timeMs + 1 })
  const [segment] = await Array.fromAsync(store.index.classSegments(product, places))
  const pixels = paint(zstdDecompressSync(segment.zstd), product, { ...window, crs: CRS.get(window.crs)! })
  return picturePng(pixels, window.width, window.height, { ground, noData })
}

/** Large pictures are painted in a thread, where one caller's many wait for those of others. */
export const wmsPictureAnswer: AnswerKind<WmsPicture, { body: Uint8Array }> = {
  name: 'wms-picture',
  run: async ({ store }, input) => ({ body: new Uint8Array(await wmsPicture(store, input)) }),
}
