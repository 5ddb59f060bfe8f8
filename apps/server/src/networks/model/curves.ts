import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LINK_QUANTITIES, NODE_QUANTITIES } from '@radx/contracts'

/** Values of nodes and links in a period, and of the system, as `OutFile` writes them. */
const [PER_NODE, PER_LINK, PER_SYSTEM] = [6, 5, 15]
const TAIL_BYTES = 24
/** Read at a time. */
const CHUNK_BYTES = 8 * 2 ** 20

export type Quantity = (typeof NODE_QUANTITIES)[number] | (typeof LINK_QUANTITIES)[number]

export interface CurvesAsked {
  path: string
  nodes: number
  links: number
  of: 'node' | 'link'
  /** Place of the quantity among those of a node or link. */
  quantity: number
  /** Places of the elements. */
  elements: readonly number[]
  /** No more periods than this: of more, every second, third … */
  most?: number
}

/**
 * Values over time out of a file that `OutFile` wrote, [element][period], and the periods that they are of, from 0.
 * Reads the file once, in parts.
 */
export function readCurves(asked: CurvesAsked): { periods: number[]; values: number[][] } {
  const { path, nodes, links, of, quantity, elements, most = Number.POSITIVE_INFINITY } = asked
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    const tail = Buffer.alloc(TAIL_BYTES)
    readSync(file, tail, 0, TAIL_BYTES, size - TAIL_BYTES)
    const begin = tail.readInt32LE(8)
    const count = tail.readInt32LE(12)
    const length = 8 + 4 * (nodes * PER_NODE + links * PER_LINK + PER_SYSTEM)
    const every = Math.max(1, Math.ceil(count / most))
    const places = elements.map((k) =>
      of === 'node'
        ? 8 + 4 * (k * PER_NODE + quantity)
        : 8 + 4 * (nodes * PER_NODE + k * PER_LINK + quantity),
    )
    const values = elements.map((): number[] => [])
    const periods: number[] = []
    const atOnce = Math.max(1, Math.floor(CHUNK_BYTES / length))
    const chunk = Buffer.alloc(atOnce * length)
    for (let from = 0; from < count; from += atOnce) {
      const read = readSync(file, chunk, 0, Math.min(atOnce, count - from) * length, begin + from * length)
      for (let p = 0; (p + 1) * length <= read; p++) {
        if ((from + p) % every !== 0) continue
        periods.push(from + p)
        for (const [e, place] of places.entries()) values[e].push(chunk.readFloatLE(p * length + place))
      }
    }
    return { periods, values }
  } finally {
    closeSync(file)
  }
}
