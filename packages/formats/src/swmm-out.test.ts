import { describe, expect, test } from 'vitest'
import { SwmmOut, swmmDate } from './swmm-out.ts'
import { read } from './testing/inp-text.ts'

// A node of each kind and a link of each kind, in feet: the file of results is in metres all the same.
const { network } = read({
  OPTIONS: 'FLOW_UNITS CFS\nEND_TIME 1:00',
  JUNCTIONS: 'J1 10 2\nJé 9 12',
  STORAGE: 'B1 5 20 0 FUNCTIONAL 0 0 100',
  CONDUITS: 'C1 J1 Jé 400 0.013 0.5 0.25\nC2 Jé O1 600 0.013',
  PUMPS: 'P1 B1 J1 *',
  ORIFICES: 'R1 B1 J1 SIDE 6 0.65',
  WEIRS: 'W1 B1 J1 TRANSVERSE 7 3.3',
  OUTLETS: 'T1 B1 J1 8 FUNCTIONAL 1 0.5',
  '+XSECTIONS': 'R1 CIRCULAR 1\nW1 RECT_OPEN 2 1',
})
const START = Date.UTC(2024, 5, 4, 6) / 1000
/** Full depths, m, of C1, C2, P1, R1, W1, T1. */
const FULL = [3, 0.5, 0, 0.3, 0.6, 0]

/** Reads on from a place, little-endian. */
function reader(bytes: Uint8Array, at = 0) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const take = <T>(count: number, size: number, get: (at: number) => T): T[] =>
    Array.from({ length: count }, () => {
      const value = get(at)
      at += size
      return value
    })
  return {
    at: () => at,
    ints: (count: number) => take(count, 4, (k) => view.getInt32(k, true)),
    floats: (count: number) => take(count, 4, (k) => view.getFloat32(k, true)),
    doubles: (count: number) => take(count, 8, (k) => view.getFloat64(k, true)),
    text() {
      const [length] = this.ints(1)
      at += length
      return new TextDecoder().decode(bytes.subarray(at - length, at))
    },
  }
}
const near = (values: number[]) => values.map((value) => expect.closeTo(value, 5))
const ft = (value: number) => value * 0.3048

/** The head of the network's file, part by part. */
function readHead() {
  const head = new SwmmOut(network, START, 60).head(FULL)
  const file = reader(head)
  const counts = file.ints(7)
  const names = Array.from({ length: 10 }, () => file.text())
  const areas = file.ints(2)
  const nodes = [file.ints(4), ...Array.from({ length: 4 }, () => [...file.ints(1), ...file.floats(2)])]
  const links = [file.ints(6), ...Array.from({ length: 6 }, () => [...file.ints(1), ...file.floats(4)])]
  const variables = [8, 6, 5, 15].map((count) => file.ints(count + 1))
  return {
    ...{ counts, names, areas, nodes, links, variables },
    start: file.doubles(1),
    step: file.ints(1),
    left: head.length - file.at(),
  }
}

describe('the head', () => {
  test('says what and how many: program 5.2.4, m3/s, no subcatchment, 4 nodes, 6 links, no pollutant', () => {
    expect(readHead().counts).toEqual([516114522, 52004, 3, 0, 4, 6, 0])
  })
  test('names nodes, then links, each with its length in bytes', () => {
    const nodes = ['J1', 'Jé', 'O1', 'B1']
    expect(readHead().names).toEqual([...nodes, 'C1', 'C2', 'P1', 'R1', 'W1', 'T1'])
  })
  test('has the area of subcatchments, though there are none', () => {
    expect(readHead().areas).toEqual([1, 1])
  })
  test('has kind, invert and full depth of nodes, the depth up to the crown of the highest pipe', () => {
    const [codes, ...nodes] = readHead().nodes
    expect(codes).toEqual([3, 0, 2, 3])
    expect(nodes).toEqual(
      [
        // 3 m of pipe on 0.5 ft are higher than the 2 ft of the file, and on 0.25 ft lower than its 12 ft.
        [0, ft(10), ft(0.5) + 3],
        [0, ft(9), ft(12)],
        // An outfall has only its pipe; what is no pipe raises nothing.
        [1, ft(8), 0.5],
        [2, ft(5), ft(20)],
      ].map(near),
    )
  })
  test('has kind, offsets at both ends, full depth and length of links', () => {
    const [codes, ...links] = readHead().links
    expect(codes).toEqual([5, 0, 4, 4, 3, 5])
    expect(links).toEqual(
      [
        [0, ft(0.5), ft(0.25), 3, ft(400)],
        [0, 0, 0, 0.5, ft(600)],
        [1, 0, 0, 0, 0],
        [2, ft(6), ft(6), 0.3, 0],
        [3, ft(7), ft(7), 0.6, 0],
        [4, ft(8), ft(8), 0, 0],
      ].map(near),
    )
  })
  test('numbers the variables of subcatchments, nodes, links and the system', () => {
    expect(readHead().variables).toEqual(
      [8, 6, 5, 15].map((count) => [count, ...Array.from({ length: count }, (_, k) => k)]),
    )
  })
  test('ends with the date of the start and the step in whole seconds', () => {
    // 2024-06-04 is day 45447 after 1899-12-30.
    expect(readHead()).toMatchObject({ start: [45447.25], step: [60], left: 0 })
  })
  test.each([
    [59.6, 60],
    [0.2, 1],
  ])('a step of %f s is written as %i', (step, seconds) => {
    const bytes = new SwmmOut(network, START, step).head(FULL)
    expect(reader(bytes, bytes.length - 4).ints(1)).toEqual([seconds])
  })
})

const PERIOD = {
  node: {
    depthM: [1, 2, 3, 4],
    headM: [11, 12, 13, 14],
    volumeM3: [21, 22, 23, 24],
    lateralM3S: [31, 32, 33, 34],
    inflowM3S: [41, 42, 43, 44],
    floodingM3S: [51, 52, 53, 54],
  },
  link: {
    flowM3S: [1.5, -2.5, 3.5, 4.5, 5.5, 6.5],
    depthM: [61, 62, 63, 64, 65, 66],
    velocityMS: [71, 72, 73, 74, 75, 76],
    volumeM3: [81, 82, 83, 84, 85, 86],
    capacity: [0.125, 0.25, 0.375, 0.5, 0.625, 0.75],
  },
  system: { lateralM3S: 101, floodingM3S: 102, outflowM3S: 103, storageM3: 104 },
}

test('a period has its date, then node by node and link by link their variables, then those of the system', () => {
  const bytes = new SwmmOut(network, START, 60).period(90, PERIOD)
  const file = reader(bytes)
  expect(file.doubles(1)[0]).toBeCloseTo(45447.25 + 90 / 86400, 9)
  for (const k of [0, 1, 2, 3])
    expect(file.floats(6)).toEqual([1 + k, 11 + k, 21 + k, 31 + k, 41 + k, 51 + k])
  for (const k of [0, 1, 2, 3, 4, 5])
    expect(file.floats(5)).toEqual([PERIOD.link.flowM3S[k], 61 + k, 71 + k, 81 + k, 0.125 * (k + 1)])
  // Direct inflow 8, all lateral inflow 9, flooding 10, outfalls 11, storage 12; the rest belongs to runoff.
  expect(file.floats(15)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 101, 101, 102, 103, 104, 0, 0])
  expect(file.at()).toBe(bytes.length)
})

test('the tail says where names, properties and results begin, and how many periods there are', () => {
  const out = new SwmmOut(network, START, 60)
  const head = out.head(FULL)
  const parts = [head, out.period(60, PERIOD), out.period(120, PERIOD)]
  const [names, input, results, ...rest] = reader(out.tail()).ints(6)
  expect(names).toBe(28)
  expect(reader(head, names).text()).toBe('J1')
  expect(reader(head, input).ints(2)).toEqual([1, 1])
  expect(results).toBe(head.length)
  // Periods, no error, the magic number again.
  expect(rest).toEqual([2, 0, 516114522])
  expect(parts[1].length).toBe(parts[2].length)
})

test('a date counts days from 1899-12-30', () => {
  expect(swmmDate(0)).toBe(25569)
  expect(swmmDate(43_200)).toBe(25569.5)
})
