import { describe, expect, test } from 'vitest'
import { createLayout, paddedIndex } from './layout.ts'
import { createReferenceKernel } from './reference.ts'
import { SURFACE_DEFAULTS, type SurfaceOptions, type SurfaceParams, slotOf } from './types.ts'

const [G, DX, N] = [9.81, 10, 0.03]

interface Case {
  /** Beds and depths, m, row by row. */
  bed: number[][]
  depth: number[][]
  params?: Partial<SurfaceParams>
  options?: SurfaceOptions
}
/** A few cells; what they hold after steps, by hand. */
function cells({ bed, depth, params, options }: Case) {
  const [nrows, ncols] = [bed.length, bed[0].length]
  const grid = { nrows, ncols, cellSizeM: DX, elevationM: Float64Array.from(bed.flat()) }
  const layout = createLayout(
    grid,
    { manning: new Float64Array(nrows * ncols).fill(N), edges: 'closed', ...params },
    { ...SURFACE_DEFAULTS, ...options },
  )
  const kernel = createReferenceKernel(layout)
  const { fields } = kernel
  const at = (cell: number) => paddedIndex(layout, cell)
  depth.flat().forEach((h, cell) => {
    fields.depth.values[slotOf(fields.depth, at(cell))] = h
    kernel.touch(at(cell))
  })
  const read = (name: keyof typeof fields) =>
    Array.from({ length: nrows * ncols }, (_, cell) => fields[name].values[slotOf(fields[name], at(cell))])
  return {
    kernel,
    read,
    set(name: 'rain' | 'qx' | 'qy', values: number[]) {
      values.forEach((value, cell) => {
        fields[name].values[slotOf(fields[name], at(cell))] = value
      })
    },
    step(dt: number, more: { raining?: boolean; sample?: boolean } = {}) {
      kernel.step(dt, { raining: false, intercepting: true, sample: false, halvings: 0, watchS: dt, ...more })
      return read('depth')
    },
    at,
  }
}
/** Bates et al. 2010, eq. 12, friction at the new discharge: q + b q |q| = a. */
function discharge(dt: number, flow: number, fall: number, before = 0) {
  const a = before + ((G * dt * flow) / DX) * fall
  const b = (G * N * N * dt) / flow ** (7 / 3)
  return (Math.sign(a) * (Math.sqrt(1 + 4 * b * Math.abs(a)) - 1)) / (2 * b)
}

describe('between two cells', () => {
  test.each([
    ['to the east', [[0, 0]], [[1, 0.8]], 'qx', 1],
    ['to the west', [[0, 0]], [[0.8, 1]], 'qx', -1],
    ['to the south', [[0], [0]], [[1], [0.8]], 'qy', 1],
    ['to the north', [[0], [0]], [[0.8], [1]], 'qy', -1],
  ] as const)('water runs down its slope, %s', (_, bed, depth, face, sign) => {
    const found = cells({ bed: bed.map((row) => [...row]), depth: depth.map((row) => [...row]) })
    const dt = 1.5
    const q = discharge(dt, 1, 0.2)
    const after = found.step(dt)
    expect(found.read(face)[0]).toBeCloseTo(sign * q, 12)
    expect(after[sign > 0 ? 0 : 1]).toBeCloseTo(1 - (q * dt) / DX, 12)
    expect(after[sign > 0 ? 1 : 0]).toBeCloseTo(0.8 + (q * dt) / DX, 12)
    expect(found.kernel.largestSpeed()).toBeCloseTo(q, 12)
    expect(found.kernel.largestDepth()).toBe(after[sign > 0 ? 0 : 1])
    // What ran before goes on.
    const next = discharge(dt, after[sign > 0 ? 0 : 1], Math.abs(after[0] - after[1]), q)
    found.step(dt)
    expect(found.read(face)[0]).toBeCloseTo(sign * next, 12)
  })

  test('over a step of the bed it is the water above the higher bed that flows', () => {
    const down = cells({ bed: [[0.5, 0]], depth: [[0.4, 0.2]] })
    down.step(1)
    expect(down.read('qx')[0]).toBeCloseTo(
      Math.min(discharge(1, 0.4, 0.7), 1.5 * Math.sqrt(G) * 0.4 ** 1.5),
      12,
    )
    const up = cells({ bed: [[0, 0.5]], depth: [[0.9, 0.2]] })
    up.step(1)
    expect(up.read('qx')[0]).toBeCloseTo(discharge(1, 0.4, 0.2), 12)
    const against = cells({ bed: [[0, 0.5]], depth: [[0.4, 0]] })
    expect(against.step(1)).toEqual([0.4, 0])
    expect(against.read('qx')[0]).toBe(0)
  })

  test('films stand still', () => {
    const found = cells({ bed: [[0, 0]], depth: [[2e-4, 0]] })
    found.set('qx', [0.5, 0])
    expect(found.step(1)).toEqual([2e-4, 0])
    const more = cells({ bed: [[0, 0]], depth: [[2.1e-4, 0]] })
    more.step(1)
    expect(more.read('qx')[0]).toBeGreaterThan(0)
  })

  test('a face carries at most Froude number 1.5, or normal flow of the bed where that is more', () => {
    const cliff = (fall: number, h: number) => {
      const found = cells({ bed: [[fall, 0]], depth: [[h, 0]] })
      found.step(0.5)
      return found.read('qx')[0]
    }
    // A brink: no flow is normal beyond a slope of 0.15.
    expect(cliff(20, 0.5)).toBeCloseTo(
      Math.max(1.5 * Math.sqrt(G) * 0.5 ** 1.5, (Math.sqrt(0.15) / N) * 0.5 ** (5 / 3)),
      9,
    )
    const back = cells({ bed: [[0, 20]], depth: [[0, 0.5]] })
    back.step(0.5)
    expect(back.read('qx')[0]).toBeCloseTo(-cliff(20, 0.5), 12)
    // Without the limiter it is the equation alone.
    const free = cells({ bed: [[20, 0]], depth: [[0.5, 0]], options: { froudeLimit: Infinity } })
    free.step(0.05)
    expect(free.read('qx')[0]).toBeCloseTo(discharge(0.05, 0.5, 20.5), 12)
  })

  test('on a level bed, where no flow is normal, that is Froude number 1.5', () => {
    for (const sign of [1, -1]) {
      const found = cells({ bed: [[0, 0]], depth: [[0.5, 0.5]] })
      found.set('qx', [3 * sign, 0])
      found.step(0.1)
      expect(found.read('qx')[0]).toBeCloseTo(sign * 1.5 * Math.sqrt(G) * 0.5 ** 1.5, 12)
    }
  })

  test('a cell gives no more than it holds, shared by what its faces ask for', () => {
    // A mound of 5 cm between two sinks, one twice as deep: both together ask for more than there is.
    const found = cells({ bed: [[0, 3, 1.5]], depth: [[0, 0.05, 0]], options: { froudeLimit: Infinity } })
    const dt = 5
    const after = found.step(dt)
    const asked = [discharge(dt, 0.05, 3.05), discharge(dt, 0.05, 1.55)]
    expect(((asked[0] + asked[1]) * dt) / DX).toBeGreaterThan(0.05)
    const share = asked[0] / (asked[0] + asked[1])
    expect(after[0]).toBeCloseTo(0.05 * share, 6)
    expect(after[2]).toBeCloseTo(0.05 * (1 - share), 6)
    expect(after[1]).toBeGreaterThan(0)
    expect(after[1]).toBeLessThan(1e-7)
    expect(after[0] + after[1] + after[2]).toBeCloseTo(0.05, 15)
  })

  test('to all four sides alike', () => {
    const found = cells({
      bed: [
        [0, 0, 0],
        [0, 2, 0],
        [0, 0, 0],
      ],
      depth: [
        [0, 0, 0],
        [0, 0.04, 0],
        [0, 0, 0],
      ],
    })
    const after = found.step(10)
    expect([1, 3, 5, 7].map((cell) => after[cell])).toEqual(
      [0.01, 0.01, 0.01, 0.01].map((v) => expect.closeTo(v, 6)),
    )
    expect(after[4]).toBeLessThan(1e-7)
  })
})

describe('sources', () => {
  test('rain is kept by what interception is left, then falls', () => {
    const found = cells({ bed: [[0]], depth: [[0]], params: { interceptionM: Float64Array.of(0.003) } })
    found.set('rain', [0.001])
    expect(found.step(2, { raining: true })).toEqual([0])
    expect(found.read('interception')[0]).toBeCloseTo(0.001, 15)
    expect(found.step(2, { raining: true })[0]).toBeCloseTo(0.001, 15)
    expect(found.read('interception')[0]).toBe(0)
    expect(found.step(2, { raining: true })[0]).toBeCloseTo(0.003, 15)
    expect(found.step(2)[0]).toBeCloseTo(0.003, 15)
  })

  test('soil takes by Green and Ampt, with the head of the water, and no more than there is', () => {
    const [k, suction, deficit, dt] = [1e-5, 0.1, 0.3, 10]
    const soil = {
      khMS: Float64Array.of(k),
      capshM: Float64Array.of(suction),
      soilmd: Float64Array.of(deficit),
    }
    const found = cells({ bed: [[0]], depth: [[0.5]], params: { soil } })
    // From dry, F dF = K (F + c) dt: F2 = 2 K dt c + K dt F, the trapezoidal rule.
    const c = (suction + 0.5) * deficit
    const taken = (k * dt + Math.sqrt((k * dt) ** 2 + 8 * k * dt * c)) / 2
    expect(found.step(dt)[0]).toBeCloseTo(0.5 - taken, 12)
    expect(found.read('infiltrated')[0]).toBeCloseTo(taken, 12)
    const film = cells({ bed: [[0]], depth: [[1e-4]], params: { soil } })
    expect(film.step(dt)[0]).toBe(0)
    expect(film.read('infiltrated')[0]).toBe(1e-4)
    const none = cells({ bed: [[0]], depth: [[0]], params: { soil } })
    expect(none.step(dt)[0]).toBe(0)
  })
})

describe('what is remembered', () => {
  test('largest depths, speeds and products, from both directions', () => {
    const found = cells({
      bed: [
        [0, 0],
        [0, 0],
      ],
      depth: [
        [1, 0.8],
        [0.8, 0.8],
      ],
    })
    const dt = 1
    found.step(dt, { sample: true })
    const q = discharge(dt, 1, 0.2)
    const [h] = found.read('depth')
    expect(found.read('maxDepth')[0]).toBe(1)
    // Speed at a face is its discharge over the water that flows there; a cell takes the larger one of its sides.
    expect(found.read('maxSpeed')[0]).toBeCloseTo(Math.hypot(q, q), 12)
    expect(found.read('maxSpeed')[1]).toBeCloseTo(q, 12)
    expect(found.read('maxSpeed')[2]).toBeCloseTo(q, 12)
    expect(found.read('maxDepthSpeed')[0]).toBeCloseTo(Math.hypot(q, q) * h, 12)
    // Without being asked for they stay.
    const before = found.read('maxSpeed')
    found.step(dt)
    expect(found.read('maxSpeed')).toEqual(before)
    expect(found.read('maxDepth')[1]).toBeGreaterThan(0.8)
  })

  test('a cell that gives to both sides empties as fast as both together: nine tenths of that bound the step', () => {
    const found = cells({ bed: [[0, 0, 0]], depth: [[0.8, 1, 0.8]] })
    const q = discharge(1, 1, 0.2)
    found.step(1)
    expect(found.kernel.largestSpeed()).toBeCloseTo(0.9 * 2 * q, 12)
  })

  test('a cell that gives to all four sides empties as fast as all together', () => {
    const low = 0.4
    const found = cells({
      bed: [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
      depth: [
        [low, low, low],
        [low, 0.5, low],
        [low, low, low],
      ],
    })
    const q = discharge(0.5, 0.5, 0.1)
    found.step(0.5)
    expect(found.kernel.largestSpeed()).toBeCloseTo((0.9 * 4 * q) / 0.5, 12)
    // A film counts for nothing, however fast it empties.
    const film = cells({ bed: [[0, 0, 0]], depth: [[0.001, 0.009, 0.001]] })
    film.step(1)
    expect(film.kernel.largestSpeed()).toBeCloseTo(film.read('qx')[1] / 0.009, 12)
  })

  test('over a step of the bed the speed is that of the water above the higher bed', () => {
    for (const [bed, depth] of [
      [
        [0, 0.5],
        [1, 0.1],
      ],
      [
        [0.5, 0],
        [0.5, 0.6],
      ],
    ]) {
      // Half a metre flows.
      const dt = 1
      const q = discharge(dt, 0.5, 0.4)
      const east = cells({ bed: [bed], depth: [depth] })
      east.step(dt, { sample: true })
      expect(east.read('qx')[0]).toBeCloseTo(q, 12)
      expect(east.read('maxSpeed')[1]).toBeCloseTo(q / 0.5, 12)
      expect(east.kernel.largestSpeed()).toBeCloseTo(Math.max(q / 0.5, (0.9 * q) / depth[0]), 12)
      const south = cells({ bed: bed.map((z) => [z]), depth: depth.map((h) => [h]) })
      south.step(dt, { sample: true })
      expect(south.read('maxSpeed')[1]).toBeCloseTo(q / 0.5, 12)
    }
  })

  test('the largest speed and product stay when water slows down', () => {
    const found = cells({ bed: [[0, 0]], depth: [[1, 0.8]] })
    found.step(1, { sample: true })
    const [speeds, products] = [found.read('maxSpeed'), found.read('maxDepthSpeed')]
    // The water turns: it passes through rest.
    found.set('qx', [1e-3, 0])
    found.step(1e-3, { sample: true })
    expect(found.read('qx')[0]).toBeLessThan(0.01)
    expect([found.read('maxSpeed'), found.read('maxDepthSpeed')]).toEqual([speeds, products])
  })

  test('water that is put on a cell counts at once', () => {
    const found = cells({ bed: [[0]], depth: [[2]] })
    expect(found.kernel.largestDepth()).toBe(2)
    expect(found.read('maxDepth')).toEqual([2])
  })
})

describe('open edges', () => {
  test('water leaves at normal depth where the bed falls towards them', () => {
    // Falls by 1 cm a cell to the east, rises to the west.
    const found = cells({ bed: [[0.02, 0.01]], depth: [[0, 0.3]], params: { edges: 'open' } })
    const dt = 0.5
    found.step(dt)
    const q = (Math.sqrt(0.001) / N) * 0.3 ** (5 / 3)
    expect(found.read('qx')[1]).toBeCloseTo(q, 12)
    const film = cells({ bed: [[0.02, 0.01]], depth: [[0, 1e-4]], params: { edges: 'open' } })
    film.step(dt)
    expect(film.read('qx')[1]).toBe(0)
    const southward = cells({ bed: [[0.02], [0.01]], depth: [[0], [0.3]], params: { edges: 'open' } })
    southward.step(dt)
    expect(southward.read('qy')[1]).toBeCloseTo(q, 12)
  })

  test('at critical flow of the limiter at most', () => {
    const found = cells({ bed: [[40, 20]], depth: [[0, 0.3]], params: { edges: 'open' } })
    found.step(0.1)
    expect(found.read('qx')[1]).toBeCloseTo(1.5 * Math.sqrt(G) * 0.3 ** 1.5, 12)
  })
})
