import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { SimpleTriangle } from '@radx/contracts/simulation'
import type { Browser } from 'playwright-core'
import {
  formDataOf,
  runFields,
  virtualRainFields,
} from '../../apps/server/src/simulation/testing/run-form.ts'
import { writeSmallCatchment } from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { startRadx } from './radx-server.ts'
import { COARSE, type OpenOptions, type OpenPage, openPage } from './support.ts'

export interface SewerServer {
  url: string
  session: LoginAnswer
  /** Ids of the runs by title. */
  runs: ReadonlyMap<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: answers of every call
  call: (path: string, init?: RequestInit) => Promise<any>
  /** Starts a run of a virtual rain with the drainage module and waits for its end. */
  run: (title: string, rain: SimpleTriangle, changes?: Record<string, string>) => Promise<void>
  /** Imports other files as the catchment's next version. */
  replace: (files: Record<string, string>) => Promise<void>
  stop: () => Promise<void>
}

/** The product with one catchment, `melun`, of these files. */
export async function startSewerServer(files: Record<string, string>): Promise<SewerServer> {
  const folder = mkdtempSync(join(tmpdir(), 'radx-sewer-'))
  writeSmallCatchment(folder, files)
  const radx = await startRadx()
  await radx.radx('catchment', 'import', folder)
  const session = await radx.signIn('anne', await radx.addAccount('anne'))
  const runs = new Map<string, string>()
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${radx.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${session.token}` },
    })
    return answer.json()
  }
  return {
    url: radx.url,
    session,
    runs,
    call,
    run: async (title, rain, changes = {}) => {
      const [file] = await call('/api/multihydro/files?c=melun&n=luse.asc')
      const { codes } = await call(`/api/multihydro/file/${file._id}/dataJson?allCodes=true`)
      const fields = runFields({ catchmentId: 'melun', luseId: file._id, codes }, virtualRainFields(rain))
      const { jobId } = await call('/api/job/multihydro', {
        method: 'POST',
        body: formDataOf({ ...fields, title, soilModule: 'false', ...changes }),
      })
      for (;;) {
        const job = await call(`/api/job/${jobId}`)
        if (job.status === 'error') throw new Error(job.error)
        if (job.status === 'done') break
        await sleep(100)
      }
      runs.set(title, jobId)
    },
    replace: async (files) => {
      const next = join(folder, 'next')
      writeSmallCatchment(next, files)
      await radx.radx('catchment', 'import', next)
    },
    stop: async () => {
      await radx.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The page of a run, for a signed-in reader at a desk. */
export const openRun = (
  browser: Browser,
  { url, session, runs }: SewerServer,
  title: string,
  query = '',
  options: OpenOptions = {},
): Promise<OpenPage> =>
  openPage(browser, `${url}/multihydro/${runs.get(title)}${query}`, {
    viewport: { width: 1440, height: 900 },
    ...(options.viewport ? {} : COARSE),
    ...options,
    storage: {
      'radx-session': JSON.stringify({ ...session, expiration: Date.now() + session.expiresIn }),
    },
  })
