import { GRAVITY } from '@radx/contracts/constants'

/** What passes through a face: mass, momentum across it and along it, by m of its width; m2/s, m3/s2. */
export interface FaceFlux {
  mass: number
  across: number
  along: number
}

/**
 * Flux between two states by HLLC (Toro, Spruce and Speares 1994; shallow water: Toro 2001, §10.4 to 10.6): speeds of the
 * outer waves from two rarefactions, exact where one side is dry; what flows along the face goes with the mass.
 *
 * @param hL depth on the left, m; uL, vL speeds across and along the face, m/s; likewise on the right
 */
export function hllc(
  hL: number,
  uL: number,
  vL: number,
  hR: number,
  uR: number,
  vR: number,
  out: FaceFlux,
): void {
  if (hL <= 0 && hR <= 0) {
    out.mass = out.across = out.along = 0
    return
  }
  const cL = Math.sqrt(GRAVITY * hL)
  const cR = Math.sqrt(GRAVITY * hR)
  let sL: number
  let sR: number
  if (hR <= 0) {
    sL = uL - cL
    sR = uL + 2 * cL
  } else if (hL <= 0) {
    sL = uR - 2 * cR
    sR = uR + cR
  } else {
    const c = 0.5 * (cL + cR) + 0.25 * (uL - uR)
    const u = 0.5 * (uL + uR) + cL - cR
    const middle = Math.max(c, 0)
    sL = Math.min(uL - cL, u - middle)
    sR = Math.max(uR + cR, u + middle)
  }
  const qL = hL * uL
  const qR = hR * uR
  const pL = qL * uL + 0.5 * GRAVITY * hL * hL
  const pR = qR * uR + 0.5 * GRAVITY * hR * hR
  if (sL >= 0) {
    out.mass = qL
    out.across = pL
  } else if (sR <= 0) {
    out.mass = qR
    out.across = pR
  } else {
    const width = 1 / (sR - sL)
    out.mass = (sR * qL - sL * qR + sL * sR * (hR - hL)) * width
    out.across = (sR * pL - sL * pR + sL * sR * (qR - qL)) * width
  }
  out.along = out.mass * (out.mass >= 0 ? vL : vR)
}
