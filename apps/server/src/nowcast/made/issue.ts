import type { Bounds } from '@radx/contracts'

const KM_PER_DEGREE = 111.195

/** Side of a cell of a grid in degrees, km: geometric mean of both. */
export function kmPerCell({ bounds: { ul, lr }, steps }: { bounds: Bounds; steps: number }): number {
  const middle = ((ul.lat + lr.lat) / 2) * (Math.PI / 180)
  const area = (ul.lat - lr.lat) * (lr.lng - ul.lng) * Math.cos(middle)
  return (KM_PER_DEGREE * Math.sqrt(area)) / steps
}

/** The members of an issue are the same whenever they are made. */
export const seedOf = (issuedMs: number): number => Math.floor(issuedMs / 1000) >>> 0

export const leadsOf = ({
  stepMinutes,
  longestMinutes,
}: {
  stepMinutes: number
  longestMinutes: number
}): number[] =>
  Array.from({ length: Math.floor(longestMinutes / stepMinutes) }, (_, k) => (k + 1) * stepMinutes)

/** The time that a lead stands for, minutes before and after it: half of the way to its neighbours. */
export function standsFor(leadsMin: readonly number[], lead: number): [number, number] {
  const before = leadsMin[lead] - (leadsMin[lead - 1] ?? 0)
  const after = lead + 1 < leadsMin.length ? leadsMin[lead + 1] - leadsMin[lead] : before
  return [-before / 2, after / 2]
}
