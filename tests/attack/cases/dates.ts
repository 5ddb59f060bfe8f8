import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, LuseData, LuseFile, SimulationListItem } from '@radx/contracts'
import { formDataOf, runFields } from '../../../apps/server/src/simulation/testing/run-form.ts'
import type { AttackCase } from '../attack-case.ts'
import { CATCHMENT, type Program } from '../program.ts'

const RUN_MS = 300_000

const json = async <T>(program: Program, path: string): Promise<T> =>
  (await (await program.call('user', path)).json()) as T

/** A user's run on the radar rain of the last minutes, which the restricted account may not see. */
export async function radarRun(program: Program): Promise<string> {
  const [file] = await json<LuseFile[]>(program, `/api/multihydro/files?c=${CATCHMENT}&n=luse.asc`)
  const { codes = [] } = await json<LuseData>(
    program,
    `/api/multihydro/file/${file._id}/dataJson?allCodes=true`,
  )
  const end = Math.floor(Date.now() / 600_000) * 600_000
  const fields = runFields(
    { catchmentId: CATCHMENT, luseId: file._id, codes },
    {
      rainfallSelection: 'radar',
      rainfallStart: new Date(end - 1_200_000).toISOString(),
      rainfallEnd: new Date(end).toISOString(),
      simulationDuration: String(1 / 3),
      product: 'dpsri',
    },
  )
  const answer = await program.call('user', '/api/job/multihydro', {
    method: 'POST',
    body: formDataOf(fields),
  })
  if (!answer.ok) throw new Error(`the run was refused: ${await answer.text()}`)
  const { jobId } = (await answer.json()) as { jobId: string }
  for (const limit = Date.now() + RUN_MS; Date.now() < limit; await sleep(100)) {
    const { status, error } = await json<Job>(program, `/api/job/${jobId}`)
    if (status === 'done') return jobId
    if (status === 'error') throw new Error(`the run failed: ${error}`)
  }
  throw new Error('the run did not end')
}

export const rainOfOthers: AttackCase = {
  name: 'dates: a restricted account reads no forbidden rain through the runs of others',
  async run({ program }) {
    const id = await radarRun(program)
    const wrong: string[] = []
    const list = (await (
      await program.call('restricted', '/api/jobs/multihydro')
    ).json()) as SimulationListItem[]
    const listed = list.find((run) => run.id === id)
    if (!listed) wrong.push('the run is not in the list')
    else if (listed.rainSparkline.length > 0 || listed.rainWithheld === null)
      wrong.push('the list tells the rain')
    const job = (await (await program.call('restricted', `/api/job/${id}`)).json()) as Job
    if (job.result !== null || job.logs.length > 0) wrong.push('the job tells its result')
    const paths = [
      `/api/job/output/${id}`,
      `/api/job/output/${id}/balance.json/data`,
      ...[
        'course',
        'course.csv',
        'depth',
        'depth/frames?from=0&to=1',
        'rain',
        'rain/frames?from=0&to=1',
        'rain/geotiff?at=0',
        'depth/geotiff?at=0',
        'flows',
        'sewer/moments',
        'sewer/moments/codes',
        'ensemble',
        'ensemble/depth?of=p50',
        'ensemble/element?kind=link&name=C-1',
        'max-depth.csv',
        'max-depth.tif',
        'output?outputType=all_height_10m.txt',
      ].map((part) => `/api/multihydro/file/${id}/${part}`),
    ]
    for (const path of paths) {
      const [mine, theirs] = await Promise.all([program.call('user', path), program.call('restricted', path)])
      await Promise.all([mine.arrayBuffer(), theirs.arrayBuffer()])
      if (theirs.status !== 403) wrong.push(`${path} answered ${theirs.status} to the restricted account`)
      if (mine.status === 403) wrong.push(`${path} was refused to the owner`)
    }
    return {
      load: `${paths.length + 2} calls`,
      worstMs: null,
      outcome: 'refused, listed without rain',
      wrong,
    }
  },
}
