import type { SewerNetwork, SewerStorage } from '@radx/contracts'
import { ALIGNMENT } from '../network/room.ts'

/** By what a storage node is shaped; 0: a junction. */
export const SHAPES = { none: 0, polynomial: 1, table: 2, power: 3 } as const
/** Values of a table's row: depth m, surface m2, water below it m3. */
export const TANK_ROW = 3

/** Shape of a storage node as loops over many of them have it. */
export interface TankShape {
  kind: (typeof SHAPES)[keyof typeof SHAPES]
  /** Polynomials: surface a0 + a1 y + a2 y^2, m2. */
  a0: number
  a1: number
  a2: number
  /** Tables. */
  rows: Float64Array
  /** Surface at a depth, m2, and water up to it, m3. */
  area(depthM: number): number
  volume(depthM: number): number
}

/** Bytes that all tables take at most. */
export const tankBytes = ({ nodes }: SewerNetwork): number =>
  nodes.reduce(
    (sum, node) =>
      node.kind === 'storage' && node.shape.type === 'tabular'
        ? sum + 8 * TANK_ROW * node.shape.table.x.length + ALIGNMENT
        : sum,
    0,
  )

const NOTHING = { a0: 0, a1: 0, a2: 0, rows: new Float64Array() }

export function tankShape(shape: SewerStorage['shape'] | null): TankShape {
  if (!shape) return { ...NOTHING, kind: SHAPES.none, area: () => 0, volume: () => 0 }
  if (shape.type === 'quadratic') return polynomial(shape.a0, shape.a1, shape.a2)
  if (shape.type !== 'functional') return tabulated(shape.table)
  const { coefficient, exponent, constant } = shape
  if (exponent === 0) return polynomial(coefficient + constant, 0, 0)
  if (exponent === 1) return polynomial(constant, coefficient, 0)
  if (exponent === 2) return polynomial(constant, 0, coefficient)
  return {
    ...NOTHING,
    kind: SHAPES.power,
    area: (y) => Math.max(0, coefficient * Math.max(0, y) ** exponent + constant),
    volume(y) {
      const d = Math.max(0, y)
      return (coefficient * d ** (exponent + 1)) / (exponent + 1) + constant * d
    },
  }
}

function polynomial(a0: number, a1: number, a2: number): TankShape {
  return {
    ...{ ...NOTHING, kind: SHAPES.polynomial, a0, a1, a2 },
    area: (y) => Math.max(0, a0 + Math.max(0, y) * (a1 + Math.max(0, y) * a2)),
    volume(y) {
      const d = Math.max(0, y)
      return d * (a0 + d * (a1 / 2 + (d * a2) / 3))
    },
  }
}

/** Surface linear between rows, the first one's below them, carried on above; volumes its integral. */
function tabulated({ x, y }: { x: number[]; y: number[] }): TankShape {
  const rows = new Float64Array(x.length * TANK_ROW)
  let volume = 0
  for (let i = 0; i < x.length; i++) {
    volume += i === 0 ? x[0] * y[0] : ((y[i - 1] + y[i]) / 2) * (x[i] - x[i - 1])
    rows.set([x[i], y[i], volume], TANK_ROW * i)
  }
  const area = (d: number) => {
    const k = rowBefore(rows, d)
    if (k < 0) return rows[1]
    const share = (d - rows[k]) / (rows[k + TANK_ROW] - rows[k])
    return Math.max(0, rows[k + 1] + share * (rows[k + TANK_ROW + 1] - rows[k + 1]))
  }
  return {
    ...{ ...NOTHING, kind: SHAPES.table, rows, area },
    volume(depthM) {
      const d = Math.max(0, depthM)
      const k = rowBefore(rows, d)
      if (k < 0) return d * rows[1]
      return rows[k + 2] + ((rows[k + 1] + area(d)) / 2) * (d - rows[k])
    },
  }
}

/** Where the last row begins that is not above a depth and has one behind it; negative where there is none. */
function rowBefore(rows: Float64Array, depthM: number): number {
  const last = rows.length - TANK_ROW
  if (last === 0 || !(depthM > rows[0])) return -1
  let k = 0
  while (k + TANK_ROW < last && rows[k + TANK_ROW] < depthM) k += TANK_ROW
  return k
}
