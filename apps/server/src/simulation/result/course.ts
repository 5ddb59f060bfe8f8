import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BALANCE_PARTS,
  DEPTH_FRAME_NO_DATA,
  DEPTH_LIMITS_M,
  type FloodCourse,
  type RunFlows,
  waterBalanceSchema,
} from '@radx/contracts'
import { type CsvTable, csvComments } from '@radx/locale/csv'
import { z } from 'zod'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'
import { type DepthFrameIndex, readFrameIndex, readFrames } from './depth-frames.ts'

const momentSchema = waterBalanceSchema.omit({ errorM3: true, relativeError: true }).extend({
  timeS: z.number().positive(),
  networkInflowM3: z.number().default(0),
})
const balanceSchema = z.object({ series: z.array(momentSchema).min(1) })

type BalancePart = (typeof BALANCE_PARTS)[number]

/** Frames held at a time while they are counted. */
const AT_A_TIME = 16

/**
 * Rain, flows and volumes at the moments of the depth frames, without a look at any of these.
 * @param areaM2 of the cells in the model
 * @throws OutputMissing
 */
export async function readFlows(dir: string, areaM2: number): Promise<RunFlows> {
  const index = await readFrameIndex(dir)
  return flowsOf(index, await readMoments(dir, index), areaM2)
}

/** A finished run over time, at the moments of its depth frames. @throws OutputMissing */
export async function readCourse(dir: string): Promise<FloodCourse> {
  const index = await readFrameIndex(dir)
  const moments = await readMoments(dir, index)
  const count = index.frames.length
  const limitsM = DEPTH_LIMITS_M.filter((limit) => limit > 0)
  const counts = limitsM.map(() => new Array<number>(count).fill(0))
  const cells = index.nrows * index.ncols
  let activeCells = 0
  for (let from = 0; from < count; from += AT_A_TIME) {
    const depths = await readFrames(dir, index, from, from + AT_A_TIME)
    if (from === 0) activeCells = countActive(depths.subarray(0, cells))
    for (let k = 0; k * cells < depths.length; k++)
      countAbove(depths.subarray(k * cells, (k + 1) * cells), limitsM).forEach((found, l) => {
        counts[l][from + k] = found
      })
  }
  const cellM2 = index.cellSize ** 2
  return {
    ...flowsOf(index, moments, Math.max(1, activeCells) * cellM2),
    limitsM,
    floodedM2: counts.map((ofLimit) => ofLimit.map((found) => found * cellM2)),
  }
}

type Moment = z.infer<typeof momentSchema>

/** Balances of the frames but the first, at which a run starts. */
async function readMoments(dir: string, { frames }: DepthFrameIndex): Promise<Moment[]> {
  const moments = await readBalances(dir)
  const fits =
    moments.length === frames.length - 1 && moments.every(({ timeS }, k) => timeS === frames[k + 1].timeS)
  if (!fits) throw new OutputMissing(OUTPUT.balance)
  return moments
}

function flowsOf({ frames }: DepthFrameIndex, moments: readonly Moment[], areaM2: number): RunFlows {
  const timesS = frames.map(({ timeS }) => timeS)
  const volumes = Object.fromEntries(
    BALANCE_PARTS.map((name) => [name, [0, ...moments.map((moment) => moment[name])]]),
  ) as Record<BalancePart, number[]>
  const inflow = [0, ...moments.map((m) => m.sewerM3 + m.outfallM3 - m.networkInflowM3)]
  return {
    timesS,
    rainMmH: rates(volumes.rainM3, timesS).map((m3s) => (m3s / areaM2) * 3.6e6),
    sewerInM3S: rates(inflow, timesS),
    outfallM3S: rates(volumes.outfallM3, timesS),
    ...volumes,
  }
}

async function readBalances(dir: string) {
  try {
    return balanceSchema.parse(JSON.parse(await readFile(join(dir, OUTPUT.balance), 'utf8'))).series
  } catch {
    throw new OutputMissing(OUTPUT.balance)
  }
}

/** Mean gain a second since the moment before; 0 at the first. */
const rates = (sums: readonly number[], timesS: readonly number[]): number[] =>
  sums.map((sum, k) => (k === 0 ? 0 : (sum - sums[k - 1]) / (timesS[k] - timesS[k - 1])))

const countActive = (depths: Uint16Array): number =>
  depths.reduce((n, depth) => n + (depth === DEPTH_FRAME_NO_DATA ? 0 : 1), 0)

/** Cells at least as deep as each limit, which ascend. @param limitsM m */
function countAbove(depthsMm: Uint16Array, limitsM: readonly number[]): number[] {
  const limits = limitsM.map((limit) => Math.round(limit * 1000))
  const inBand = new Array<number>(limits.length).fill(0)
  for (const depth of depthsMm) {
    if (depth < limits[0] || depth === DEPTH_FRAME_NO_DATA) continue
    let band = limits.length - 1
    while (depth < limits[band]) band--
    inBand[band]++
  }
  for (let band = inBand.length - 2; band >= 0; band--) inBand[band] += inBand[band + 1]
  return inBand
}

/** The course as CSV, comment lines with the provenance first. */
export function courseCsv(course: FloodCourse, provenance: readonly [string, string][]): CsvTable {
  const { timesS, limitsM, floodedM2 } = course
  const columns: [string, readonly number[], number][] = [
    ['time_s', timesS, 3],
    ['rain_mm_h', course.rainMmH, 4],
    ['sewer_inflow_m3_s', course.sewerInM3S, 6],
    ['outfall_m3_s', course.outfallM3S, 6],
    ...BALANCE_PARTS.map((name): [string, readonly number[], number] => [csvName(name), course[name], 4]),
    ...limitsM.map((limit, k): [string, readonly number[], number] => [
      `area_from_${Math.round(limit * 100)}cm_m2`,
      floodedM2[k],
      2,
    ]),
  ]
  const rows = [
    columns.map(([name]) => name),
    ...timesS.map((_, k) => columns.map(([, values, decimals]) => rounded(values[k], decimals))),
  ]
  return { comments: csvComments(provenance), rows }
}

/** `rainM3` as `rain_m3`. */
const csvName = (name: BalancePart): string =>
  `${name.slice(0, -2).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_m3`

export const rounded = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals
