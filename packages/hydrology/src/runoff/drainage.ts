/** Error that a step of the depth's integration may make, as a share of it (as in EPA SWMM). */
const TOLERANCE = 1e-4

/**
 * Depth of water above hollows after `dt`, m: dx/dt = inflow - alpha x^(5/3) above them, inflow alone below 0 (SWMM
 * Reference Manual I, eq. 3-6). Without inflow the solution is exact, else Runge-Kutta of order 5 with its own step.
 * @param x depth above the hollows, m; below 0 while they fill
 * @param inflow m/s, less losses
 * @param alpha m^(-2/3)/s
 */
export function drain(x: number, inflow: number, alpha: number, dt: number): number {
  let y = x
  let left = dt
  if (y < 0) {
    if (inflow <= 0) return y + inflow * left
    const filling = -y / inflow
    if (filling >= left) return y + inflow * left
    left -= filling
    y = 0
  }
  if (alpha <= 0) return y + inflow * left
  // Hardly any inflow: half of it before and half after the closed solution, which is of second order.
  if (Math.abs(inflow) * left <= SMALL_INFLOW * y) {
    const half = (inflow * left) / 2
    return recede(y + half, alpha, left) + half
  }
  let step = left
  for (let n = 0; n < 10_000 && left > 1e-12 * dt; n++) {
    if (step > left) step = left
    const made = rungeKutta(y, inflow, alpha, step)
    const scale = (Math.abs(y) + Math.abs(firstRate * step) + 1e-30) * TOLERANCE
    const error = Math.abs(lastError) / scale
    if (error > 1) {
      step = Math.max(0.1 * step, 0.9 * step * error ** -0.25)
      continue
    }
    y = made
    left -= step
    if (left > 1e-12 * dt) step = error > 1.89e-4 ? 0.9 * step * error ** -0.2 : 5 * step
  }
  return y
}

/** Inflow of a step over the depth that counts as hardly any. */
const SMALL_INFLOW = 0.02

/** Depth after `dt` without inflow. */
function recede(x: number, alpha: number, dt: number): number {
  if (x <= 0) return x
  const root = Math.cbrt(x)
  const slower = 1 + (2 / 3) * alpha * (root * root) * dt
  return x / (slower * Math.sqrt(slower))
}

/** What comes less what runs off, m/s; 23 bits of a root are a thousand times finer than the step's error. */
const rate = (x: number, inflow: number, alpha: number): number => {
  if (!(x >= LEAST)) return inflow
  const root = roughRoot(x)
  return inflow - alpha * (x * root * root)
}

/** Smallest number that is no subnormal. */
const LEAST = 2.2250738585072014e-308
const bits = new Uint32Array(2)
const number = new Float64Array(bits.buffer)
/** The word with the exponent. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0]

/** Cube root to 23 bits: how FreeBSD's s_cbrt.c begins. */
function roughRoot(x: number): number {
  number[0] = x
  bits[HIGH] = Math.floor(bits[HIGH] / 3) + 715_094_163
  bits[1 - HIGH] = 0
  const t = number[0]
  const r = t * t * (t / x)
  return (
    t *
    (1.87595182427177 +
      r * (-1.8849797954337717 + r * 1.6214297201053545) +
      r * r * r * (-0.758397934778766 + r * 0.14599619288661245))
  )
}

/** Difference between the two orders in the step made last, and the rate at its beginning. */
let lastError = 0
let firstRate = 0

/** One step of Cash and Karp (1990). */
function rungeKutta(y: number, inflow: number, alpha: number, h: number): number {
  const k1 = rate(y, inflow, alpha)
  firstRate = k1
  const k2 = rate(y + 0.2 * h * k1, inflow, alpha)
  const k3 = rate(y + h * (0.075 * k1 + 0.225 * k2), inflow, alpha)
  const k4 = rate(y + h * (0.3 * k1 - 0.9 * k2 + 1.2 * k3), inflow, alpha)
  const k5 = rate(y + h * ((-11 / 54) * k1 + 2.5 * k2 - (70 / 27) * k3 + (35 / 27) * k4), inflow, alpha)
  const k6 = rate(
    y +
      h *
        ((1631 / 55296) * k1 +
          (175 / 512) * k2 +
          (575 / 13824) * k3 +
          (44275 / 110592) * k4 +
          (253 / 4096) * k5),
    inflow,
    alpha,
  )
  const fifth = (37 / 378) * k1 + (250 / 621) * k3 + (125 / 594) * k4 + (512 / 1771) * k6
  const fourth =
    (2825 / 27648) * k1 + (18575 / 48384) * k3 + (13525 / 55296) * k4 + (277 / 14336) * k5 + 0.25 * k6
  lastError = h * (fifth - fourth)
  return y + h * fifth
}
