// What stands in memory for the ground of subcatchments (src/runoff/ground/wasm.ts fills it in).

/** Where arrays lie: `GroundArrays` of src/runoff/ground/arrays.ts, under the same names. */
@unmanaged
export class RunoffHeader {
  count: i32
  /** From one kind of ground to the next: an even number. */
  stride: i32

  areaM2: usize
  groundM2: usize
  rain: usize
  evaporation: usize
  onGround: usize
  taken: usize
  runonM3: usize
  runonRate: usize
  usedM3: usize
  evaporatedM3: usize
  infiltratedM3: usize
  outM3: usize
  drainedM3: usize
  flow: usize
  rainM3: usize
  runonSumM3: usize
  evaporationM3: usize
  infiltrationM3: usize
  imperviousM3: usize
  perviousM3: usize
  runoffM3: usize
  ratedM3: usize
  ratedImperviousM3: usize
  ratedPerviousM3: usize
  peak: usize
  peakS: usize
  share: usize
  m2: usize
  store: usize
  rough: usize
  alpha: usize
  onward: usize
  depth: usize
  left: usize
  rate: usize
  passed: usize
  passRate: usize

  /** Of the grounds of a chunk: whether there is water, and what comes and goes, m/s. */
  busy: usize
  evaporated: usize
  infiltrated: usize
  supply: usize
  net: usize
  /** Grounds that wait for Runge and Kutta, with time left and the next step, s; depths above hollows that came of it, m. */
  waiting: usize
  waitingS: usize
  waitingH: usize
  made: usize
  /** Grounds that run dry along the closed solution, with depth, half the inflow and time. */
  receding: usize
  recedingX: usize
  recedingHalf: usize
  recedingS: usize
  recedingAlpha: usize
  /** What roughness makes of depth, of those that wait. */
  slopes: usize

  /** Pairs of subcatchments that are moved. */
  pairs: usize
}
