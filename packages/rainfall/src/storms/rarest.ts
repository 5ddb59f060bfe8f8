import type { RarePlace } from '@radx/contracts/storms'

/** What is looked at of a depth. */
interface Rare {
  period: Pick<RarePlace['depths'][number]['period'], 'kind' | 'years'>
}

/** The depth of a place that comes back least often; null when none lies within the table's durations. */
export function rarestDepth<Depth extends Rare>({ depths }: { depths: readonly Depth[] }): Depth | null {
  let rarest: Depth | null = null
  for (const depth of depths) {
    const { years } = depth.period
    if (years === null) continue
    if (rarest === null || rank(depth) > rank(rarest)) rarest = depth
  }
  return rarest
}

/** Beyond the longest period of the table comes after it, below the shortest before it. */
const rank = ({ period: { kind, years } }: Rare): number =>
  years! + (kind === 'above' ? 0.5 : kind === 'below' ? -0.5 : 0)
