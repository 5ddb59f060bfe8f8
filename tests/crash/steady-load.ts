import { setTimeout as sleep } from 'node:timers/promises'
import { rainFile } from '../../apps/server/src/testing/rain-files.ts'
import { fillInbox } from './ingest-kill.ts'

const START = Date.parse('2021-07-04T20:00:00Z')
const STEP_MS = 206_000
type Site = Parameters<typeof rainFile>[0]

/** What a client was told is done, and what it handed over. */
export interface Acknowledged {
  /** Titles of saved events. */
  events: string[]
  /** Titles that were sent, answered or not. */
  tried: Set<string>
  /** Ids of jobs. */
  jobs: string[]
  /** Names of files in the inbox. */
  files: string[]
}

/**
 * Saves events, asks for exports and delivers files, one after another, until it is stopped. Calls that fail
 * because nobody answers are counted by nobody: only what was acknowledged must be there in the end.
 */
export function startLoad(options: { site: Site; dataDir: string; url: () => string; token: string }) {
  const done: Acknowledged = { events: [], tried: new Set(), jobs: [], files: [] }
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${options.url()}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null)
    return answer?.ok ? ((await answer.json().catch(() => ({}))) as { id?: string }) : null
  }
  const from = new Date(START).toISOString()
  /** Whether the frame that the exports ask for is in. */
  const isIn = async () => {
    const answer = await fetch(`${options.url()}/api/products/latestImages?p=dpsri`).catch(() => null)
    return answer?.ok === true && (await answer.text()).includes(from.slice(0, 19))
  }
  let asking = false
  const running = (async () => {
    for (let k = 0; !stop.signal.aborted; k++) {
      const title = `évènement ${k}`
      done.tried.add(title)
      const selectionDates = { start: from, end: new Date(START + 3_600_000).toISOString() }
      if (await call('PUT', '/api/users/events', { title, product: 'dpsri', selectionDates, comment: '' }))
        done.events.push(title)
      const file = rainFile(options.site, { timeMs: START + k * STEP_MS })
      await fillInbox(options.dataDir, [file])
      done.files.push(file.name)
      asking ||= await isIn()
      if (asking && k % 5 === 0) {
        const job = await call('POST', '/api/job/exportgeotiff', { product: 'dpsri', date: from, epsg: 4326 })
        if (job?.id) done.jobs.push(job.id)
      }
      await sleep(60)
    }
  })()
  return {
    done,
    stop: async () => {
      stop.abort()
      await running
    },
  }
}
