import type { RainFrame, Shape } from '../field.ts'
import { createRandom } from '../random.ts'

/**
 * Showers of different sizes that move together: Gaussian cells, mm/h.
 * @param velocity cells a minute, to the east and to the south
 */
export function showers(
  shape: Shape,
  [u, v]: readonly [number, number],
  minutes: readonly number[],
  seed = 1,
): RainFrame[] {
  const random = createRandom(seed)
  const cells = Array.from({ length: Math.ceil((shape.nrows * shape.ncols) / 300) }, () => ({
    x: (random.uniform() * 3 - 1) * shape.ncols,
    y: (random.uniform() * 3 - 1) * shape.nrows,
    size: 2 + 5 * random.uniform() ** 2,
    rate: 1 + 20 * random.uniform() ** 3,
  }))
  return minutes.map((minute) => {
    const rateMmH = new Float32Array(shape.nrows * shape.ncols)
    for (const { x, y, size, rate } of cells) {
      const [cx, cy] = [x + u * minute, y + v * minute]
      const reach = Math.ceil(4 * size)
      for (let row = Math.max(0, Math.floor(cy - reach)); row < Math.min(shape.nrows, cy + reach); row++)
        for (let col = Math.max(0, Math.floor(cx - reach)); col < Math.min(shape.ncols, cx + reach); col++)
          rateMmH[row * shape.ncols + col] +=
            rate * Math.exp(-((row - cy) ** 2 + (col - cx) ** 2) / (2 * size * size))
    }
    for (let i = 0; i < rateMmH.length; i++) if (rateMmH[i] < 0.05) rateMmH[i] = 0
    return { timeMs: minute * 60_000, rateMmH }
  })
}

/** Makes cells missing, the same in every frame. */
export function withMissing(frames: RainFrame[], shape: Shape, gone: (row: number, col: number) => boolean) {
  for (const { rateMmH } of frames)
    for (let row = 0; row < shape.nrows; row++)
      for (let col = 0; col < shape.ncols; col++)
        if (gone(row, col)) rateMmH[row * shape.ncols + col] = Number.NaN
  return frames
}
