import type { SewerTransect } from '@radx/contracts'

/** What a depth means in a natural section. `radius` is that of the whole section's conveyance with the channel's n. */
export interface TransectPoint {
  area: number
  width: number
  radius: number
}

/** Highest depth that the profile holds, m. */
export function transectDepth(transect: SewerTransect): number {
  return Math.max(...transect.elevationsM) - Math.min(...transect.elevationsM)
}

/**
 * Area, width and equivalent hydraulic radius at a depth above the lowest point. The conveyances of left
 * overbank, channel and right overbank add up (SWMM Reference Manual II, 5.2: composite section, water on
 * the banks included wherever ground lies below the level).
 */
export function transectAt(transect: SewerTransect, depthM: number): TransectPoint {
  const { stationsM: x, elevationsM: z } = transect
  const level = Math.min(...z) + depthM
  const area = [0, 0, 0]
  const perimeter = [0, 0, 0]
  let width = 0
  for (let i = 1; i < x.length; i++) {
    const middle = (x[i - 1] + x[i]) / 2
    const zone = middle < transect.leftBankM ? 0 : middle <= transect.rightBankM ? 1 : 2
    const low = Math.min(z[i - 1], z[i])
    const high = Math.max(z[i - 1], z[i])
    if (level <= low) continue
    const run = x[i] - x[i - 1]
    const share = level >= high ? 1 : (level - low) / (high - low)
    const wet = run * share
    area[zone] += level >= high ? run * (level - (low + high) / 2) : (wet * (level - low)) / 2
    perimeter[zone] += share * Math.hypot(run, high - low)
    width += wet
  }
  const n = [
    transect.nLeft || transect.nChannel,
    transect.nChannel,
    transect.nRight || transect.nLeft || transect.nChannel,
  ]
  let conveyance = 0
  for (let zone = 0; zone < 3; zone++) {
    if (perimeter[zone] > 0)
      conveyance += (area[zone] / n[zone]) * Math.cbrt(area[zone] / perimeter[zone]) ** 2
  }
  const total = area[0] + area[1] + area[2]
  const radius = total > 0 ? ((conveyance * transect.nChannel) / total) ** 1.5 : 0
  return { area: total, width, radius }
}
