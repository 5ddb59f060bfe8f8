import { fieldsOf } from '../../records.ts'
import { ALIGNMENT } from '../network/room.ts'
import type { PeakArray, StatisticArray } from '../types.ts'

/** Arrays that `createPeaks` and `createStatistics` keep and compiled loops can fill (`Observer`), under the names of assembly/explicit/records.ts. */
export const PEAK_ARRAYS = [
  'from',
  'to',
  'fullDepth',
  'crowns',
  'maxAbsFlow',
  'flowTimeS',
  'maxVelocity',
  'maxFullDepthRatio',
  'deepest',
  'passed',
  'surchargedS',
  'maxDepth',
  'maxHead',
  'depthTimeS',
  'maxInflow',
  'flooded',
  'left',
  'arriving',
] as const satisfies readonly PeakArray[]
export const STATISTIC_ARRAYS = [
  'from',
  'to',
  'fullDepth',
  'crowns',
  'fullS',
  'fullUpS',
  'fullDownS',
  'dryS',
  'arriving',
  'leaving',
  'crown',
  'maxLateral',
  'lateralVolume',
  'inflowVolume',
  'maxInflow',
  'inflowTimeS',
  'surchargedS',
  'floodedS',
  'maxFlooding',
  'floodTimeS',
] as const satisfies readonly StatisticArray[]

export const OBSERVED_RECORDS = {
  PeakArrays: fieldsOf('usize', PEAK_ARRAYS),
  StatisticArrays: fieldsOf('usize', STATISTIC_ARRAYS),
} as const

/** Bytes that both take at most: `crowns` has two values a link. */
export const observedBytes = (nodes: number, links: number): number =>
  (PEAK_ARRAYS.length + STATISTIC_ARRAYS.length + 4) * (8 * Math.max(nodes, links) + ALIGNMENT) +
  16 * (PEAK_ARRAYS.length + STATISTIC_ARRAYS.length)
