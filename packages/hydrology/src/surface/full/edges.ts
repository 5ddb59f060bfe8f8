import { GRAVITY } from '@radx/contracts/constants'
import type { FaceFlux } from './riemann.ts'

/** What is known at a face of the model's edge. */
export interface EdgeState {
  kind: 'closed' | 'level' | 'discharge' | 'normal' | 'critical'
  /** Depth outside at the face, m (`level`; with `discharge` where flow is faster than its waves). */
  depthM: number
  /** Into the model by m of width, m2/s (`discharge`). */
  inflowM2S: number
  /** sqrt(slope) / n (`normal`): u = factor h^(2/3). */
  factor: number
}

/**
 * Flux out of the model through a face of its edge, from what is known there and what comes from inside along the
 * outgoing characteristic u + 2 c (Toro 2001, §6.3; Blade et al. 2008). Where flow leaves faster than its waves nothing
 * from outside matters; where it enters so, level and discharge are both taken from outside.
 *
 * @param h depth inside, m; u speed outwards, v along the face, m/s
 */
export function edgeFlux(state: EdgeState, h: number, u: number, v: number, out: FaceFlux): void {
  const c = Math.sqrt(GRAVITY * h)
  if (state.kind === 'closed') wall(h, u, out)
  else if (state.kind === 'discharge') inflow(state, h, u, v, c, out)
  else if (h <= 0 && (state.kind !== 'level' || state.depthM <= 0)) through(0, 0, 0, out)
  else if (h > 0 && u >= c) through(h, u, v, out)
  else if (state.kind === 'normal') {
    const cube = Math.cbrt(h)
    through(h, Math.min(state.factor * cube * cube, c), v, out)
  } else if (state.kind === 'critical' || state.depthM <= 0) {
    // A level under the bed is a free fall too.
    const atEdge = (u + 2 * c) / 3
    if (atEdge <= 0) wall(h, u, out)
    else through((atEdge * atEdge) / GRAVITY, atEdge, v, out)
  } else {
    const waves = Math.sqrt(GRAVITY * state.depthM)
    // Water does not enter or leave faster than the waves of its own depth.
    const speed = Math.max(-waves, Math.min(waves, u + 2 * c - 2 * waves))
    through(state.depthM, speed, speed > 0 ? v : 0, out)
  }
}

function through(h: number, u: number, v: number, out: FaceFlux): void {
  out.mass = h * u
  out.across = h * u * u + 0.5 * GRAVITY * h * h
  out.along = out.mass > 0 ? out.mass * v : 0
}

/** Push of water on a wall that it meets with a speed `u`, m3/s2: HLL with the mirrored state behind the wall. */
export function push(h: number, u: number): number {
  const c = Math.sqrt(GRAVITY * h)
  const fastest = Math.max(c - u, c + 0.5 * u, 0)
  return Math.max(0, h * u * (u + fastest) + 0.5 * GRAVITY * h * h)
}

function wall(h: number, u: number, out: FaceFlux): void {
  out.mass = out.along = 0
  out.across = push(h, u)
}

/** A given discharge at the depth that the outgoing characteristic asks for, at least the critical one. */
function inflow(state: EdgeState, h: number, u: number, v: number, c: number, out: FaceFlux): void {
  const q = state.inflowM2S
  if (q < 0 && h > 0) {
    // Taken out: no more than a free fall would.
    const atEdge = Math.max(0, (u + 2 * c) / 3)
    const taken = Math.min(-q, (atEdge * atEdge * atEdge) / GRAVITY)
    through(h, taken / h, v, out)
    return
  }
  if (q <= 0) {
    wall(h, u, out)
    return
  }
  const critical = Math.cbrt((q * q) / GRAVITY)
  let depth = critical
  if (state.depthM > 0 && state.depthM < critical) depth = state.depthM
  else {
    const invariant = u + 2 * c
    // 2 sqrt(g d) - q / d rises with d: Newton from above the critical depth.
    const lack = (d: number) => 2 * Math.sqrt(GRAVITY * d) - q / d - invariant
    if (lack(critical) < 0) {
      let d = Math.max(critical, h)
      for (let k = 0; k < 30; k++) {
        const slope = Math.sqrt(GRAVITY / d) + q / (d * d)
        const next = Math.max(critical, d - lack(d) / slope)
        if (Math.abs(next - d) < 1e-12 * d) break
        d = next
      }
      depth = d
    }
  }
  out.mass = -q
  out.across = (q * q) / depth + 0.5 * GRAVITY * depth * depth
  out.along = 0
}
