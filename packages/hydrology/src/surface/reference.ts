import { GRAVITY } from '@radx/contracts/constants'
import { greenAmptStep } from '../soil/green-ampt.ts'
import type { DrainState, PlacedDrain } from './drains.ts'
import { drainFlow, FILM_M } from './drains.ts'
import type { Layout } from './layout.ts'
import { Levels, owed, Parts } from './levels.ts'
import type { Kernel } from './types.ts'
import { SPREAD_FROM_M, SPREAD_SHARE } from './types.ts'

/** What the reference keeps of its fields: all but rain. */
const REFERENCE_FIELDS = [
  'depth',
  'interception',
  'infiltrated',
  'qx',
  'qy',
  'maxDepth',
  'maxSpeed',
  'maxDepthSpeed',
] as const

/**
 * The truth for tests: local inertial shallow water (Bates et al. 2010, eq. 12) with friction solved fully
 * implicitly, in plain f64. A part of a step is fluxes, limiting, continuity with rain, interception and infiltration.
 */
export function createReferenceKernel(layout: Layout): Kernel {
  const { size, live, stepX, stepY, stride, liveCells, options } = layout
  const { frictionX, frictionY, normalX, normalY, paceX, paceY } = layout
  const dx = layout.grid.cellSizeM
  const zero = () => new Float64Array(size)
  const fields = {
    depth: zero(),
    rain: zero(),
    interception: layout.interception.slice(),
    infiltrated: zero(),
    qx: zero(),
    qy: zero(),
    maxDepth: zero(),
    maxSpeed: zero(),
    maxDepthSpeed: zero(),
  }
  const { depth, rain, interception, infiltrated, qx, qy } = fields
  const speedX = zero()
  const speedY = zero()
  const froude = options.froudeLimit * Math.sqrt(GRAVITY)
  const first = stride
  const levels = new Levels(layout)
  const parts = new Parts()
  let fastest = 0
  let spread = 0
  let deepest = 0
  const end = size - stride

  const shallow = (i: number) => (live[i] ? depth[i] : 0)

  function flux(
    i: number,
    j: number,
    step: number,
    q: number,
    friction: number,
    normal: number,
    pace: number,
  ): number {
    const dt = parts.lengthS(levels.faces[i >> 2])
    const left = shallow(i)
    const right = shallow(j)
    const flow = Math.max(left, right + step) - Math.max(0, step)
    if (flow <= options.dryDepthM) return 0
    const a = q - ((GRAVITY * dt) / dx) * flow * (right + step - left)
    const b = (friction * dt) / (flow * flow * Math.cbrt(flow))
    const free = (2 * a) / (1 + Math.sqrt(1 + 4 * b * Math.abs(a)))
    const limit = Math.max(froude * flow * Math.sqrt(flow), normal * flow * Math.cbrt(flow * flow))
    const result = Math.min(limit, Math.max(-limit, free))
    const speed = (pace * Math.abs(result)) / flow
    fastest = Math.max(fastest, speed)
    levels.sawSpeed(i, speed)
    return result
  }

  let drains: readonly PlacedDrain[] = []
  let drainState: DrainState = { headsM: new Float64Array(0), takenM: new Float64Array(0) }

  /** What flows through drains in a part of `dt`; those of one cell see the same depth. */
  function takeDrains(dt: number): void {
    const { headsM, takenM } = drainState
    const standing = drains.map(({ index }) => depth[index])
    for (const [k, drain] of drains.entries()) {
      takenM[k] = 0
      if (standing[k] < FILM_M) continue
      const i = drain.index
      const before = depth[i]
      const wanted = drainFlow(drain, standing[k], headsM[drain.outlet]) * dt
      const stays = owed(i, layout, parts, levelsAt, dischargeX, dischargeY)
      depth[i] = Math.max(Math.min(before, stays), before - wanted / dx ** 2)
      takenM[k] = before - depth[i]
    }
  }

  const due = (i: number) => parts.due(levels.faces[i >> 2])

  function computeFluxes(): void {
    for (let i = first; i < end; i++) {
      if (!due(i)) continue
      if (stepX[i] < 1e8) qx[i] = flux(i, i + 1, stepX[i], qx[i], frictionX[i], normalX[i], paceX[i])
      if (stepY[i] < 1e8) qy[i] = flux(i, i + stride, stepY[i], qy[i], frictionY[i], normalY[i], paceY[i])
    }
    // Edges do not bound the step, but have a level.
    for (const edge of layout.edges) {
      if (!due(edge.face)) continue
      const h = depth[edge.cell]
      const free = edge.factor * h * Math.cbrt(h * h)
      const q = h > options.dryDepthM ? Math.min(free, froude * h * Math.sqrt(h)) : 0
      if (edge.vertical) qy[edge.face] = edge.sign * q
      else qx[edge.face] = edge.sign * q
      if (q > 0) levels.sawSpeed(edge.face, q / h)
    }
  }

  /** Speed at faces before limiting, for the largest speeds. */
  function computeSpeeds(): void {
    const speed = (i: number, j: number, step: number, q: number) =>
      q === 0 || step > 1e8 ? 0 : Math.abs(q) / (Math.max(shallow(i), shallow(j) + step) - Math.max(0, step))
    for (let i = first; i < end; i++) {
      speedX[i] = speed(i, i + 1, stepX[i], qx[i])
      speedY[i] = speed(i, i + stride, stepY[i], qy[i])
    }
  }

  const outflow = (i: number) =>
    Math.max(qx[i], 0) + Math.max(-qx[i - 1], 0) + Math.max(qy[i], 0) + Math.max(-qy[i - stride], 0)

  /** Scales new discharges out of a cell to what it holds beside that which older ones will still take. */
  function limit(): void {
    for (let i = first; i < end; i++) {
      if (!parts.due(levels.cells[i >> 2])) continue
      const faces = [
        { i, out: Math.max(qx[i], 0), q: qx },
        { i: i - 1, out: Math.max(-qx[i - 1], 0), q: qx },
        { i, out: Math.max(qy[i], 0), q: qy },
        { i: i - stride, out: Math.max(-qy[i - stride], 0), q: qy },
      ].filter(({ out }) => out > 0)
      let newer = 0
      let older = 0
      for (const face of faces) {
        const held = (face.out * parts.heldS(levels.faces[face.i >> 2])) / dx
        if (due(face.i)) newer += held
        else older += held
      }
      const factor = Math.max(0, shallow(i) * (1 - 1e-6) - older) / newer
      if (newer > 0 && factor < 1) for (const face of faces) if (due(face.i)) face.q[face.i] *= factor
      if (live[i] && depth[i] > SPREAD_FROM_M) {
        const speed = (layout.pace[i] * outflow(i)) / depth[i]
        spread = Math.max(spread, speed)
        levels.sawSpread(i, speed)
      }
    }
  }

  function balanceCells(raining: boolean): void {
    for (let i = first; i < end; i++) {
      const level = levels.cells[i >> 2]
      if (!parts.due(level)) continue
      const dt = parts.lengthS(level)
      depth[i] += (qx[i - 1] - qx[i] + (qy[i - stride] - qy[i])) * (dt / dx)
      takeSources(i, dt, raining)
      if (!live[i]) continue
      const h = depth[i]
      if (h > fields.maxDepth[i]) fields.maxDepth[i] = h
      deepest = Math.max(deepest, h)
      levels.sawDepth(i, h)
    }
  }

  /** Rain, interception and infiltration of a cell. */
  function takeSources(i: number, dt: number, raining: boolean): void {
    let h = depth[i]
    if (raining) {
      let net = rain[i] * dt
      const kept = Math.min(net, interception[i])
      interception[i] -= kept
      net -= kept
      h += net
    }
    if (layout.kh[i] > 0 && h > 0) {
      const head = (layout.capsh[i] + h) * layout.soilmd[i]
      const taken = Math.min(h, greenAmptStep(infiltrated[i], layout.kh[i], head, dt))
      infiltrated[i] += taken
      h -= taken
    }
    depth[i] = h
  }

  function sampleSpeeds(): void {
    for (const i of liveCells) {
      if (depth[i] <= options.dryDepthM) continue
      const speed = Math.hypot(Math.max(speedX[i], speedX[i - 1]), Math.max(speedY[i], speedY[i - stride]))
      if (speed > fields.maxSpeed[i]) fields.maxSpeed[i] = speed
      if (speed * depth[i] > fields.maxDepthSpeed[i]) fields.maxDepthSpeed[i] = speed * depth[i]
    }
  }

  const levelsAt = { cell: (i: number) => levels.cells[i >> 2], face: (i: number) => levels.faces[i >> 2] }
  const dischargeX = (i: number) => qx[i]
  const dischargeY = (i: number) => qy[i]
  const field = (values: Float64Array) => ({ values, quad: 4 })
  return {
    fields: {
      depth: field(depth),
      rain: field(rain),
      interception: field(interception),
      infiltrated: field(infiltrated),
      qx: field(qx),
      qy: field(qy),
      maxDepth: field(fields.maxDepth),
      maxSpeed: field(fields.maxSpeed),
      maxDepthSpeed: field(fields.maxDepthSpeed),
    },
    step(dt, { raining, sample, halvings, watchS }, _, beforePart) {
      // What is added before the first part still counts for its levels.
      for (let part = 0; part < 2 ** halvings; part++) {
        if (part === 0) parts.beginStep(dt, halvings)
        else parts.beginPart(part)
        beforePart?.(part)
        if (part === 0) {
          levels.begin(halvings, watchS)
          fastest = 0
          spread = 0
          deepest = 0
        }
        takeDrains(dt / 2 ** halvings)
        computeFluxes()
        if (sample && part === 0) computeSpeeds()
        limit()
        balanceCells(raining)
        if (sample && part === 0) sampleSpeeds()
      }
      parts.endStep()
    },
    placeDrains(placed, outlets) {
      drains = placed
      drainState = { headsM: new Float64Array(outlets), takenM: new Float64Array(placed.length) }
      return drainState
    },
    rainChanged() {},
    largestDepth: () => deepest,
    largestSpeed: () => Math.max(fastest, SPREAD_SHARE * spread),
    visit(state) {
      for (const name of REFERENCE_FIELDS) state.array(name, fields[name])
      for (const values of [speedX, speedY]) state.scratch(values)
      deepest = state.number('deepest', deepest)
      fastest = state.number('fastest', fastest)
      spread = state.number('spread', spread)
      levels.visit(state)
    },
    touch(i) {
      if (!live[i]) return
      const h = depth[i]
      if (h > fields.maxDepth[i]) fields.maxDepth[i] = h
      deepest = Math.max(deepest, h)
      levels.cameFromOutside(i)
    },
    dispose() {},
  }
}
