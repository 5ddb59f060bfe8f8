import { GRAVITY } from '@radx/contracts/constants'
import type { Layout } from '../layout.ts'
import type { FullField } from './fields.ts'
import { hllc } from './riemann.ts'
import { isAwake } from './water.ts'

/** A film thinner than this has no slope within its cell, m. */
const SLOPE_FROM_M = 1e-5
/** Between minmod (1) and superbee (2): Kurganov and Tadmor 2000. */
const THETA = 1.5

function limited(back: number, ahead: number): number {
  if (!(back * ahead > 0)) return 0
  const middle = 0.5 * (back + ahead)
  if (back > 0) return Math.min(Math.min(THETA * back, middle), THETA * ahead)
  return Math.max(Math.max(THETA * back, middle), THETA * ahead)
}

/**
 * What of a slide counts where beds and levels have slopes within cells: steps that these leave, such as on rough
 * ground, not the small ones of smooth water, whose order they would spoil.
 */
function rough(slide: number, h: number): number {
  return h > 0 ? slide * Math.max(0, Math.min(1, 10 * (slide / h) - 1)) : 0
}

/** Slides beyond this share of the depth count whole. */
const WHOLE_SLIDE = 0.1

/**
 * What of a slide counts with beds that are level within cells. It pushes the upper cell alone: in deep water, where levels
 * differ by little, pools on rough ground would begin to swing of themselves.
 */
function steep(slide: number, h: number): number {
  return h > 0 ? slide * Math.min(1, slide / (WHOLE_SLIDE * h)) : slide
}

/** Fields of one axis: speed across its faces and along them, slopes within cells, what passes faces. */
interface Axis {
  /** From a cell to the one behind its face. */
  next: number
  u: Float64Array
  v: Float64Array
  level: Float64Array
  depths: Float64Array
  across: Float64Array
  alongs: Float64Array
  mass: Float64Array
  before: Float64Array
  behind: Float64Array
  along: Float64Array
}

/** What computes slopes within cells, and fluxes through all faces. */
export function createFaces(
  layout: Layout,
  fields: Record<FullField, Float64Array>,
  order: 1 | 2,
): { slopes(): void; fluxes(): void } {
  const { size, stride, liveCells } = layout
  const { seen, bed } = fields
  const axisX: Axis = {
    next: 1,
    u: fields.speedX,
    v: fields.speedY,
    level: fields.levelSlopeX,
    depths: fields.depthSlopeX,
    across: fields.acrossSlopeX,
    alongs: fields.alongSlopeX,
    mass: fields.massX,
    before: fields.beforeX,
    behind: fields.behindX,
    along: fields.alongX,
  }
  const axisY: Axis = {
    next: stride,
    u: fields.speedY,
    v: fields.speedX,
    level: fields.levelSlopeY,
    depths: fields.depthSlopeY,
    across: fields.acrossSlopeY,
    alongs: fields.alongSlopeY,
    mass: fields.massY,
    before: fields.beforeY,
    behind: fields.behindY,
    along: fields.alongY,
  }
  const flux = { mass: 0, across: 0, along: 0 }

  function slopes({ next, u, v, level, depths, across, alongs }: Axis): void {
    for (const i of liveCells) {
      const back = i - next
      const ahead = i + next
      const h = seen[i]
      const hB = seen[back]
      const hA = seen[ahead]
      if (!(h > SLOPE_FROM_M && hB > SLOPE_FROM_M && hA > SLOPE_FROM_M)) {
        level[i] = depths[i] = across[i] = alongs[i] = 0
        continue
      }
      level[i] = limited(h + bed[i] - (hB + bed[back]), hA + bed[ahead] - (h + bed[i]))
      depths[i] = limited(h - hB, hA - h)
      across[i] = limited(u[i] - u[back], u[ahead] - u[i])
      alongs[i] = limited(v[i] - v[back], v[ahead] - v[i])
    }
  }

  function sweep(axis: Axis): void {
    const { next, u, v, mass, before, behind, along } = axis
    for (let i = stride; i < size - stride; i++) {
      const j = i + next
      let hL = seen[i]
      let hR = seen[j]
      if (!isAwake(layout, seen, i) && !isAwake(layout, seen, j)) {
        mass[i] = before[i] = behind[i] = along[i] = 0
        continue
      }
      let zL = bed[i]
      let zR = bed[j]
      let uL = u[i]
      let uR = u[j]
      let vL = v[i]
      let vR = v[j]
      if (order === 2) {
        const { level, depths, across, alongs } = axis
        const dL = 0.5 * depths[i]
        const dR = 0.5 * depths[j]
        // Speeds at the face so that the cell keeps its momentum (Bouchut 2004).
        const back = hL > 0 ? 0.5 * ((hL - dL) / hL) : 0
        const ahead = hR > 0 ? 0.5 * ((hR + dR) / hR) : 0
        uL += back * across[i]
        vL += back * alongs[i]
        uR -= ahead * across[j]
        vR -= ahead * alongs[j]
        zL += 0.5 * level[i] - dL
        zR -= 0.5 * level[j] - dR
        hL += dL
        hR -= dR
      }
      // Water above a lower level and a lower bed slides down to them as a whole, so that what is thinner than the step
      // between two cells runs at its normal speed: without, it would fall over each step as over a weir.
      const step = zL - zR
      const drop = zL + hL - (zR + hR)
      let slideL = Math.max(0, Math.min(step, drop))
      let slideR = Math.max(0, Math.min(-step, -drop))
      if (order === 2) {
        slideL = rough(slideL, hL)
        slideR = rough(slideR, hR)
      } else {
        slideL = steep(slideL, hL)
        slideR = steep(slideR, hR)
      }
      zL -= slideL
      zR -= slideR
      const levelL = zL + hL
      const levelR = zR + hR
      // The bed at the face: the higher one, but not above the lower level (Chen and Noelle 2017).
      const z = Math.min(Math.max(zL, zR), Math.min(levelL, levelR))
      const sL = Math.max(0, Math.min(levelL - z, hL))
      const sR = Math.max(0, Math.min(levelR - z, hR))
      hllc(sL, uL, vL, sR, uR, vR, flux)
      mass[i] = flux.mass
      before[i] = flux.across + GRAVITY * (0.5 * (hL + sL) * (z - zL) - hL * slideL)
      behind[i] = flux.across + GRAVITY * (0.5 * (hR + sR) * (z - zR) - hR * slideR)
      along[i] = flux.along
    }
  }

  return {
    slopes() {
      if (order === 1) return
      slopes(axisX)
      slopes(axisY)
    },
    fluxes() {
      sweep(axisX)
      sweep(axisY)
    },
  }
}
