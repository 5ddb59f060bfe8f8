import { HOUR_MS } from './climate.ts'
import { Draws, lineNoise } from './noise.ts'
import { type Outbreak, type PlacedCell, strength } from './systems.ts'

/** A rain cell, or one core of it, at one moment, in the frame of its outbreak (km). */
export interface Cell {
  u: number
  v: number
  /** Half-widths of its Gaussian along and across `angle` (from u). */
  along: number
  across: number
  angle: number
  rateMmH: number
}

export interface CellWindow {
  u0: number
  u1: number
  v0: number
  v1: number
}

const BUCKET_KM = 32
const BUCKET_HOURS = 0.5
/** Cells are wide: those born this far outside a window may reach into it. */
const MARGIN_KM = 34
/** No cell lives longer. */
const OLDEST_HOURS = 2.5

/**
 * Cells alive over a window of the outbreak's frame. Births stand in buckets of space and time, each with
 * draws of its own, so that any moment is found without those before.
 */
export function cellsIn(outbreak: Outbreak, window: CellWindow, instantMs: number): Cell[] {
  const hours = (instantMs - outbreak.frame.t0Ms) / HOUR_MS
  const found = placedCells(outbreak.placed ?? [], hours)
  const first = Math.floor((hours - OLDEST_HOURS) / BUCKET_HOURS)
  const last = Math.floor(hours / BUCKET_HOURS)
  const bu0 = Math.floor((window.u0 - MARGIN_KM) / BUCKET_KM)
  const bu1 = Math.floor((window.u1 + MARGIN_KM) / BUCKET_KM)
  const bv0 = Math.floor((window.v0 - MARGIN_KM) / BUCKET_KM)
  const bv1 = Math.floor((window.v1 + MARGIN_KM) / BUCKET_KM)
  for (let slot = first; slot <= last; slot++) {
    const bornMs = outbreak.frame.t0Ms + (slot + 0.5) * BUCKET_HOURS * HOUR_MS
    const power = strength(outbreak, bornMs)
    if (power === 0) continue
    for (let bu = bu0; bu <= bu1; bu++)
      for (let bv = bv0; bv <= bv1; bv++) bucket(outbreak, bu, bv, slot, power, hours, found)
  }
  return found
}

const ageing = (age: number) => ({
  // Grows fast, decays slowly, and spreads as it ages.
  life: Math.sin(Math.PI * age ** 0.75) ** 1.4,
  spread: 0.62 + 0.55 * age,
})

function placedCells(cells: readonly PlacedCell[], hours: number): Cell[] {
  return cells.flatMap(({ u, v, bornHours, lifeHours, peakMmH, radiusKm }) => {
    const age = (hours - bornHours) / lifeHours
    if (age <= 0 || age >= 1) return []
    const { life, spread } = ageing(age)
    const along = radiusKm * spread
    return [{ u, v, along, across: 0.8 * along, angle: 0.6, rateMmH: peakMmH * life }]
  })
}

function bucket(
  o: Outbreak,
  bu: number,
  bv: number,
  slot: number,
  power: number,
  hours: number,
  found: Cell[],
) {
  const draws = new Draws(o.cellSeed, bu * 4099 + bv, slot)
  // Slow noise over buckets decides where cells gather.
  const gather =
    lineNoise(bu * 0.61 + slot * 0.07, o.cellSeed + 11) + lineNoise(bv * 0.61 - slot * 0.05, o.cellSeed + 12)
  const favoured = Math.max(0, gather / 2 + o.clustering) * 1.6
  const mean = o.birthRate * power * favoured * BUCKET_HOURS * ((BUCKET_KM * BUCKET_KM) / 1000)
  const count = draws.poisson(Math.min(mean, 6))
  for (let k = 0; k < count; k++) {
    const born = (slot + draws.next()) * BUCKET_HOURS
    const u = (bu + draws.next()) * BUCKET_KM
    const v = (bv + draws.next()) * BUCKET_KM
    const lifeHours = Math.min(
      OLDEST_HOURS - BUCKET_HOURS,
      (o.lifeMinutes / 60) * Math.exp(0.35 * draws.normal()),
    )
    const peak = Math.min(110, o.peakMmH * Math.exp(o.peakSpread * draws.normal()))
    // Strong cells are wide ones, as a rule.
    const radius = o.radiusKm * Math.exp(0.25 * draws.normal()) * (peak / o.peakMmH) ** 0.25
    const axis = Math.PI * draws.next()
    const cores = 1 + draws.poisson(o.type === 'storms' ? 2.6 : 1.4)
    const drift = [draws.between(-7, 7), draws.between(-7, 7)]
    for (let core = 0; core < cores; core++) {
      const away = core === 0 ? 0 : radius * draws.between(0.8, 2.2)
      const towards = 2 * Math.PI * draws.next()
      const share = core === 0 ? 1 : draws.between(0.35, 0.9)
      const late = core === 0 ? 0 : lifeHours * draws.between(0, 0.35)
      const age = (hours - born - late) / (lifeHours * (core === 0 ? 1 : 0.75))
      const thick = draws.between(0.5, 0.9)
      const size = core === 0 ? 1 : draws.between(0.45, 0.9)
      if (age <= 0 || age >= 1) continue
      const aged = ageing(age)
      const { life } = aged
      const spread = radius * size * aged.spread
      found.push({
        u: u + away * Math.cos(towards) + drift[0] * (hours - born),
        v: v + away * Math.sin(towards) + drift[1] * (hours - born),
        along: spread,
        across: spread * thick,
        angle: axis,
        rateMmH: peak * share * life,
      })
      if (core === 0 && o.type === 'storms')
        found.push({
          u: u - 2 * radius * age + drift[0] * (hours - born),
          v: v + drift[1] * (hours - born),
          along: spread * 2.9,
          across: spread * 2.1,
          angle: 0,
          rateMmH: 0.09 * peak * life,
        })
    }
  }
}
