/** What the terms of one conduit's momentum hand on to each other (docs/formulas/sewer.md); 1 is its upper end, 2 its lower. */
export interface Terms {
  /** Heads at the ends, m, and depths, m; of a free end what it hangs at. */
  h1: number
  h2: number
  y1: number
  y2: number
  /** Depth in the middle, m. */
  yMid: number
  /** Area m2, width m, radius^(4/3), section factor A R^(2/3) and how that grows with the depth. */
  area1: number
  width1: number
  radius1: number
  factor1: number
  factorSlope: number
  area2: number
  areaMid: number
  widthMid: number
  radiusMid: number
  /** Whether the head of an end stands whatever its node's does. */
  hold1: boolean
  hold2: boolean
  /** Whether no water can flow. */
  dry: boolean
  /** Whether normal flow may limit it: no end falls free. */
  limited: boolean
  /** Whether both ends are full. */
  isFull: boolean
}

export const emptyTerms = (): Terms => ({
  h1: 0,
  h2: 0,
  y1: 0,
  y2: 0,
  yMid: 0,
  area1: 0,
  width1: 0,
  radius1: 0,
  factor1: 0,
  factorSlope: 0,
  area2: 0,
  areaMid: 0,
  widthMid: 0,
  radiusMid: 0,
  hold1: false,
  hold2: false,
  dry: false,
  limited: false,
  isFull: false,
})
