import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LINK_QUANTITIES, NODE_QUANTITIES, SUBCATCHMENT_VARIABLES } from '@radx/contracts'

/** Values of subcatchments, nodes and links in a period, and of the system, as `OutFile` writes them. */
const PER_SUBCATCHMENT = 8
/** Where the file says how many subcatchments it has: none in files of before. */
const SUBCATCHMENTS_AT = 12
const [PER_NODE, PER_LINK, PER_SYSTEM] = [6, 5, 15]
const TAIL_BYTES = 24
/** Read at a time. */
const CHUNK_BYTES = 8 * 2 ** 20

export type Quantity =
  | (typeof NODE_QUANTITIES)[number]
  | (typeof LINK_QUANTITIES)[number]
  | (typeof SUBCATCHMENT_VARIABLES)[number]

export interface CurvesAsked {
  path: string
  nodes: number
  links: number
  of: 'node' | 'link' | 'subcatchment'
  /** Place of the quantity among those of such an element. */
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
    const head = Buffer.alloc(4)
    readSync(file, head, 0, 4, SUBCATCHMENTS_AT)
    const nodesAt = 8 + 4 * head.readInt32LE(0) * PER_SUBCATCHMENT
    const length = nodesAt + 4 * (nodes * PER_NODE + links * PER_LINK + PER_SYSTEM)
    const every = Math.max(1, Math.ceil(count / most))
    const places = elements.map((k) => {
      if (of === 'subcatchment') return 8 + 4 * (k * PER_SUBCATCHMENT + quantity)
      const place = of === 'node' ? k * PER_NODE : nodes * PER_NODE + k * PER_LINK
      return nodesAt + 4 * (place + quantity)
    })
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
