import type { RunMeasure } from '@radx/contracts/measures'
import type { MeasureKind } from '@radx/contracts/measures-constants'

export interface KindSum {
  kind: MeasureKind
  count: number
  areaM2: number
  keptM3: number
  /** By the prices given, else by the run's own. */
  costEur: number
  eurM2: number
  /** Null where nothing was kept. */
  eurM3: number | null
}

/** Prices that somebody gave, €/m2. */
export type Prices = Partial<Record<MeasureKind, number>>

export const costOf = ({ kind, areaM2, costEur }: RunMeasure, prices: Prices): number => {
  const price = prices[kind]
  return price === undefined ? costEur : price * areaM2
}

/** Measures summed by kind, the kind that kept most first. */
export function sumByKind(measures: readonly RunMeasure[], prices: Prices): KindSum[] {
  const kinds = new Map<MeasureKind, RunMeasure[]>()
  for (const measure of measures) kinds.set(measure.kind, [...(kinds.get(measure.kind) ?? []), measure])
  return Array.from(kinds, ([kind, all]) => {
    const sum = (of: (measure: RunMeasure) => number) => all.reduce((total, each) => total + of(each), 0)
    const [areaM2, keptM3] = [sum((each) => each.areaM2), sum((each) => each.keptM3)]
    const costEur = sum((each) => costOf(each, prices))
    return {
      ...{ kind, count: all.length, areaM2, keptM3, costEur },
      eurM2: areaM2 > 0 ? costEur / areaM2 : 0,
      eurM3: keptM3 > 0 ? costEur / keptM3 : null,
    }
  }).sort((a, b) => b.keptM3 - a.keptM3)
}
