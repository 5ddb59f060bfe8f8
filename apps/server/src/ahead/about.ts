import type { AheadCycle } from '@radx/contracts'

/** Cycles that were told in another form are not shown: they are gone within two days. */
export const ABOUT_VERSION = 1

/** What is told of a finished cycle without its files. */
export interface CycleAbout
  extends Pick<
    AheadCycle,
    | 'alike'
    | 'times'
    | 'rainUntil'
    | 'unknownShare'
    | 'rainMmH'
    | 'method'
    | 'watch'
    | 'counts'
    | 'links'
    | 'nodes'
    | 'worst'
  > {
  version: typeof ABOUT_VERSION
  /** Parts of a moment in `depth.bin` and `network.bin`, and where each ends. */
  depthEnds: number[]
  networkEnds: number[]
}
