import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forecastOf, type MemberCourse, quantile, RAIN_FILE } from '../simulation/api.ts'
import { ABOUT_VERSION, type CycleAbout } from './about.ts'
import { dangersOf, type Moment } from './dangers.ts'
import { type MemberHead, memberFile, memberHeadFile, memberMoment } from './members.ts'
import { endsOf, pack } from './parts.ts'
import { catchmentOf, fileOf, type InputOf, type StepContext } from './steps.ts'

export const DEPTHS_FILE = 'depths.bin'
export const NETWORK_FILE = 'network.bin'

/** Parts of a moment in the file of depths: chances by depth, quantiles, the deterministic one. */
export const DEPTH_PARTS = { chances: 0, quantiles: 3, control: 6, count: 7 } as const
/** Likewise of the network: heads and fillings (quantiles, then the deterministic one), what nodes gave back, chances. */
export const NETWORK_PARTS = { heads: 0, fillings: 4, overflows: 8, spills: 11, full: 12, count: 13 } as const

interface Member {
  bytes: Buffer
  head: MemberHead
}

/** Puts the members together: quantiles and probabilities of every moment, and what is worth watching. */
export async function gather(context: StepContext, input: InputOf<'gather'>): Promise<CycleAbout> {
  const { outDir, signal, progress } = context
  const catchment = await catchmentOf(context, input)
  const members = await readMembers(context, input)
  const size = {
    cells: catchment.elevation.data.length,
    nodes: catchment.network.nodes.length,
    links: catchment.network.links.length,
  }
  const [depths, network]: [Buffer[], Buffer[]] = [[], []]
  const moments: Moment[] = []
  const { timesS } = members[0].head
  for (let t = 0; t < timesS.length; t++) {
    signal.throwIfAborted()
    progress(t, timesS.length, 'Probabilités')
    const courses = members.map(({ bytes, head }) => memberMoment(bytes, head, t, size))
    const { moment, depthParts, networkParts } = spreadOf(courses)
    depths.push(...depthParts)
    network.push(...networkParts)
    moments.push(moment)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writeFile(join(outDir, DEPTHS_FILE), Buffer.concat(depths))
  await writeFile(join(outDir, NETWORK_FILE), Buffer.concat(network))
  // Members go soon; who tries something from this state takes the same rain.
  await writeFile(join(outDir, RAIN_FILE), await fileOf(context, input.memberJobs[0], RAIN_FILE))
  return {
    version: ABOUT_VERSION,
    alike: input.alike,
    ...rainOf(members, input),
    ...dangersOf(catchment, moments, leadsOf(members, input)),
    depthEnds: endsOf(depths),
    networkEnds: endsOf(network),
  }
}

async function readMembers(context: StepContext, { memberJobs }: InputOf<'gather'>): Promise<Member[]> {
  const members: Member[] = []
  // Each batch goes on where the one before ends.
  for (const job of memberJobs)
    for (;;) {
      const k = members.length
      const text = await fileOf(context, job, memberHeadFile(k)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (text === null) break
      members.push({ head: JSON.parse(text.toString()), bytes: await fileOf(context, job, memberFile(k)) })
    }
  return members
}

/** Quantiles are among the members; the deterministic one stands alone where there are none. */
function spreadOf(courses: readonly MemberCourse[]) {
  const [control, ...others] = courses
  const [{ exceedance, depthMm, nodes, links }] = forecastOf(others.length > 0 ? others : [control])
  const moment: Moment = { chances: exceedance, spills: nodes.overflows, full: links.full }
  return {
    moment,
    depthParts: [...exceedance, ...depthMm, control.depthsMm[0]].map(pack),
    networkParts: [
      ...[...nodes.headM, control.headsM[0]],
      ...[...links.filling, control.fillings[0]],
      ...[...nodes.overflowM3, nodes.overflows, links.full],
    ].map(pack),
  }
}

const leadsOf = ([{ head }]: Member[], { epoch, issued }: InputOf<'gather'>): number[] => {
  const fromS = (Date.parse(issued) - Date.parse(epoch)) / 1000
  return head.timesS.map((timeS) => Math.round((timeS - fromS) / 60))
}

type Rain = Pick<CycleAbout, 'times' | 'rainUntil' | 'unknownShare' | 'rainMmH' | 'method'>

function rainOf(members: Member[], input: InputOf<'gather'>): Rain {
  const [control, ...others] = members
  const sample = others.length > 0 ? others : [control]
  const times = control.head.timesS.map((timeS) =>
    new Date(Date.parse(input.epoch) + 1000 * timeS).toISOString(),
  )
  const { rainUntil } = input
  return {
    times,
    rainUntil,
    unknownShare: times.map((_, t) => rounded(mean(sample.map(({ head }) => head.unknown[t])), 3)),
    rainMmH: times.map((_, t) => {
      const sorted = sample.map(({ head }) => head.rainMmH[t]).sort((a, b) => a - b)
      const [p10, p50, p90] = [0.1, 0.5, 0.9].map((share) => rounded(quantile(sorted, share), 2))
      return { value: rounded(control.head.rainMmH[t], 2), p10, p50, p90 }
    }),
    method: input.method,
  }
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
