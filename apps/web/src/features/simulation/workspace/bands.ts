import type { Scheme } from '../../../map/basemap.ts'
import type { GridPicture } from '../../../town/paint-ground.ts'
import { rgbOf } from '../../../town/water-classes.ts'

/** Values from a limit on, up to that of the next. */
export interface Band {
  from: number
  color: string
  label: string
}

/** A grid in the colours of its bands, a pixel a cell; what lies below the first is not drawn. */
export function bandPicture(
  { nrows, ncols }: { nrows: number; ncols: number },
  values: ArrayLike<number>,
  bands: readonly Band[],
): GridPicture {
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  const colors = bands.map(({ color }) => rgbOf(color))
  for (let k = 0; k < nrows * ncols; k++) {
    const value = values[k]
    if (!(value >= bands[0].from)) continue
    let b = bands.length - 1
    while (value < bands[b].from) b--
    data.set(colors[b], 4 * k)
    data[4 * k + 3] = 255
  }
  return { width: ncols, height: nrows, data }
}

/** From little to much, quiet first: one hue for speeds, a warning ramp for danger, time from late to early. */
export const RAMPS: Record<'speed' | 'hazard' | 'time', Record<Scheme, readonly string[]>> = {
  speed: {
    light: ['#e0d3ee', '#c3a6de', '#9f74c6', '#7a45a8', '#521d80'],
    dark: ['#35224a', '#553176', '#7a4aa8', '#a57bd4', '#d8bdf5'],
  },
  hazard: {
    light: ['#f3d35f', '#ee9a3a', '#d9482f', '#8c1d5c'],
    dark: ['#d8b94a', '#e28a33', '#e0533c', '#d14b9a'],
  },
  time: {
    light: ['#0b4f56', '#23808a', '#58b0b5', '#9bd3d3', '#d3eceb'],
    dark: ['#d5f0ef', '#8fd3d3', '#4fabb0', '#2a7a81', '#154a50'],
  },
}
