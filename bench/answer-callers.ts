/** Thread of the bench of answers: asks beside the server's event loop, so that waiting is measured and not shared. */
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface Calls {
  url: string
  /** Addresses that each user asks for all at once; the token is the user's name. */
  users: { token: string; paths: string[] }[]
  /** Asked again and again meanwhile. */
  watched: string
  everyMs: number
}
export interface Called {
  statuses: Record<number, number>
  /** Of the watched address, ms. */
  watchedMs: number[]
  seconds: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 500 })

function ask(url: string, token: string | null): Promise<number> {
  return new Promise((done, fail) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
    const call = request(url, { agent, headers }, async (answer) => {
      for await (const _ of answer);
      done(answer.statusCode!)
    })
    call.on('error', fail)
    call.end()
  })
}

const { url, users, watched, everyMs } = workerData as Calls
const watchedMs: number[] = []
const watching = setInterval(async () => {
  const before = performance.now()
  await ask(url + watched, null)
  watchedMs.push(performance.now() - before)
}, everyMs)
const begin = performance.now()
const answers = await Promise.all(
  users.flatMap(({ token, paths }) => paths.map((path) => ask(url + path, token))),
)
clearInterval(watching)
const statuses: Called['statuses'] = {}
for (const status of answers) statuses[status] = (statuses[status] ?? 0) + 1
parentPort!.postMessage({ statuses, watchedMs, seconds: (performance.now() - begin) / 1000 } satisfies Called)
agent.destroy()
