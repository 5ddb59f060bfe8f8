import { greenAmptStep } from '../soil/green-ampt.ts'
import type { Layout } from './layout.ts'
import type { Kernel } from './types.ts'
import { GRAVITY, SPREAD_FROM_M, SPREAD_SHARE } from './types.ts'

/**
 * The truth for tests: local inertial shallow water (Bates et al. 2010, eq. 12) with friction solved fully
 * implicitly, in plain f64. One step is fluxes, limiting, continuity with rain, interception and infiltration.
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
  let fastest = 0
  let spread = 0
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
    dt: number,
  ): number {
    const left = shallow(i)
    const right = shallow(j)
    const flow = Math.max(left, right + step) - Math.max(0, step)
    if (flow <= options.dryDepthM) return 0
    const a = q - ((GRAVITY * dt) / dx) * flow * (right + step - left)
    const b = (friction * dt) / (flow * flow * Math.cbrt(flow))
    const free = (2 * a) / (1 + Math.sqrt(1 + 4 * b * Math.abs(a)))
    const limit = Math.max(froude * flow * Math.sqrt(flow), normal * flow * Math.cbrt(flow * flow))
    const result = Math.min(limit, Math.max(-limit, free))
    fastest = Math.max(fastest, (pace * Math.abs(result)) / flow)
    return result
  }

  function computeFluxes(dt: number): void {
    fastest = 0
    for (let i = first; i < end; i++) {
      if (stepX[i] < 1e8) qx[i] = flux(i, i + 1, stepX[i], qx[i], frictionX[i], normalX[i], paceX[i], dt)
      if (stepY[i] < 1e8) qy[i] = flux(i, i + stride, stepY[i], qy[i], frictionY[i], normalY[i], paceY[i], dt)
    }
    for (const edge of layout.edges) {
      const h = depth[edge.cell]
      const free = edge.factor * h * Math.cbrt(h * h)
      const q = h > options.dryDepthM ? Math.min(free, froude * h * Math.sqrt(h)) : 0
      if (edge.vertical) qy[edge.face] = edge.sign * q
      else qx[edge.face] = edge.sign * q
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

  /** Scales what leaves a cell to what it holds. */
  function limit(dt: number): void {
    const share = dt / dx
    for (let i = first; i < end; i++) {
      const out = outflow(i)
      if (out === 0) continue
      const held = shallow(i) * (1 - 1e-6)
      if (out * share <= held) continue
      const factor = held / (out * share)
      if (qx[i] > 0) qx[i] *= factor
      if (qx[i - 1] < 0) qx[i - 1] *= factor
      if (qy[i] > 0) qy[i] *= factor
      if (qy[i - stride] < 0) qy[i - stride] *= factor
    }
  }

  function balanceCells(dt: number, raining: boolean): void {
    spread = 0
    const share = dt / dx
    for (let i = first; i < end; i++) {
      if (live[i] && depth[i] > SPREAD_FROM_M)
        spread = Math.max(spread, (layout.pace[i] * outflow(i)) / depth[i])
      let h = depth[i] + (qx[i - 1] - qx[i] + (qy[i - stride] - qy[i])) * share
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
      if (live[i] && h > fields.maxDepth[i]) fields.maxDepth[i] = h
    }
  }

  function sampleSpeeds(): void {
    for (const i of liveCells) {
      if (depth[i] <= options.dryDepthM) continue
      const speed = Math.hypot(Math.max(speedX[i], speedX[i - 1]), Math.max(speedY[i], speedY[i - stride]))
      if (speed > fields.maxSpeed[i]) fields.maxSpeed[i] = speed
      if (speed * depth[i] > fields.maxDepthSpeed[i]) fields.maxDepthSpeed[i] = speed * depth[i]
    }
  }

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
    step(dt, { raining, sample }) {
      computeFluxes(dt)
      if (sample) computeSpeeds()
      limit(dt)
      balanceCells(dt, raining)
      if (sample) sampleSpeeds()
    },
    largestDepth() {
      let largest = 0
      for (const i of liveCells) if (depth[i] > largest) largest = depth[i]
      return largest
    },
    largestSpeed: () => Math.max(fastest, SPREAD_SHARE * spread),
    touch(i) {
      if (live[i] && depth[i] > fields.maxDepth[i]) fields.maxDepth[i] = depth[i]
    },
    lower() {},
    dispose() {},
  }
}
