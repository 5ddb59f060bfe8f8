import type { AheadCycle } from '@radx/contracts'

/** What is told of a finished cycle without its files. */
export interface CycleAbout
  extends Pick<
    AheadCycle,
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
  /** Parts of a moment in `depth.bin` and `network.bin`, and where each ends. */
  depthEnds: number[]
  networkEnds: number[]
}
