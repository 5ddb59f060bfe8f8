import type { StoringMeasure } from '@radx/contracts/measures'
import { figuresOf } from '@radx/contracts/measures-constants'

export interface DrawnLayer {
  layer: 'surface' | 'pavement' | 'soil' | 'storage'
  /** Thickness. */
  mm: number
  /** From the top of the picture, and how high. */
  top: number
  height: number
}

/** Layers of a measure from the top, filling a height; each gets `least` of it, the rest is shared by thickness. */
export function layersOf(measure: StoringMeasure, height: number, least: number): DrawnLayer[] {
  const { surfaceMm = 0, pavementMm = 0, soilMm = 0, storageMm = 0 } = figuresOf(measure)
  const all = [
    { layer: 'surface', mm: surfaceMm },
    { layer: 'pavement', mm: pavementMm },
    { layer: 'soil', mm: soilMm },
    { layer: 'storage', mm: storageMm },
  ] as const
  const there = all.filter(({ mm }) => mm > 0)
  const whole = there.reduce((sum, { mm }) => sum + mm, 0)
  const free = height - least * there.length
  let top = 0
  return there.map(({ layer, mm }) => {
    const drawn = { layer, mm, top, height: least + (free * mm) / whole }
    top += drawn.height
    return drawn
  })
}
