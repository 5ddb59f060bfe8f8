import type { NowcastMotion } from '@radx/contracts'
import { atPlace, type MotionField } from '@radx/motion/motion-field'
import { cellCentre, RATE_NO_DATA } from '@radx/rainfall'
import type { StoredProduct } from '../../store/catalog.ts'
import { kmPerCell } from './issue.ts'

/** Arrows across a picture. */
const ACROSS = 16
/** Rain that has an arrow, codes of 0.01 mm/h. */
const WET_CODE = 10

/** Velocities on a coarse grid, where it rains in one of the fields within the square that an arrow stands for. */
export function arrowsOf(
  motion: MotionField,
  product: StoredProduct,
  fields: readonly Uint16Array[],
): NowcastMotion['arrows'] {
  const { steps } = product
  const side = Math.ceil(steps / ACROSS)
  const kmHour = 60 * kmPerCell(product)
  const arrows: NowcastMotion['arrows'] = []
  for (let top = 0; top < steps; top += side)
    for (let left = 0; left < steps; left += side) {
      if (!fields.some((codes) => rainsIn(codes, steps, top, left, side))) continue
      const [row, col] = [Math.min(steps - 1, top + side / 2), Math.min(steps - 1, left + side / 2)]
      const { lat, lng } = cellCentre(product, Math.floor(row), Math.floor(col))
      arrows.push({
        lat,
        lng,
        eastKmH: rounded(kmHour * atPlace(motion.u, motion, col, row)),
        northKmH: rounded(-kmHour * atPlace(motion.v, motion, col, row)),
      })
    }
  return arrows
}

function rainsIn(codes: Uint16Array, steps: number, top: number, left: number, side: number): boolean {
  for (let row = top; row < Math.min(steps, top + side); row++)
    for (let i = row * steps + left; i < row * steps + Math.min(steps, left + side); i++)
      if (codes[i] >= WET_CODE && codes[i] !== RATE_NO_DATA) return true
  return false
}

const rounded = (value: number) => Math.round(value * 10) / 10
