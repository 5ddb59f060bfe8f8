import type { RarePlace } from '@radx/contracts/storms'

type Depth = RarePlace['depths'][number]

/** The depth of a place that comes back least often; null when none lies within the table's durations. */
export function rarestDepth({ depths }: Pick<RarePlace, 'depths'>): Depth | null {
  let rarest: Depth | null = null
  for (const depth of depths) {
    const { years } = depth.period
    if (years === null) continue
    if (rarest === null || rank(depth) > rank(rarest)) rarest = depth
  }
  return rarest
}

/** Beyond the longest period of the table comes after it, below the shortest before it. */
const rank = ({ period: { kind, years } }: Depth): number =>
  years! + (kind === 'above' ? 0.5 : kind === 'below' ? -0.5 : 0)
