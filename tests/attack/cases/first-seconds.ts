import { type AttackCase, tally, told } from '../attack-case.ts'
import { startProgram } from '../program.ts'

const CALLS: [method: string, path: string][] = [
  ['POST', '/api/users/login'],
  ['GET', '/api/products/latestImages?p=dpsri'],
  ['GET', '/api/jobs/multihydro'],
  ['GET', '/api/article/home-message'],
  ['GET', '/api/status'],
]

export const firstSeconds: AttackCase = {
  name: 'first seconds: no call answers an error of its own before the schema stands, and a stop is clean',
  async run() {
    const wrong: string[] = []
    const statuses: number[] = []
    const program = await startProgram({
      furnished: false,
      env: { DEMO: '1', DEMO_FLOODS: '0' },
      onListening: async (url, isReady) => {
        do
          for (const [method, path] of CALLS) {
            const answer = await fetch(url + path, {
              method,
              ...(method === 'POST'
                ? {
                    headers: { 'content-type': 'application/json' },
                    body: '{"username":"demo","password":"demo-radx"}',
                  }
                : {}),
            })
            statuses.push(answer.status)
            if (answer.status >= 500 && answer.status !== 503)
              wrong.push(`${path}: ${answer.status} ${await answer.text()}`)
            else if (answer.status === 503 && !answer.headers.has('retry-after'))
              wrong.push(`${path}: 503 without Retry-After`)
            // The demonstration's account is there, or the answer says to come back.
            else if (method === 'POST' && ![200, 503].includes(answer.status))
              wrong.push(`the first login: ${answer.status}`)
          }
        while (!(await isReady()))
      },
    })
    const page = await fetch(program.url, { headers: { accept: 'text/html' } })
    if (!page.headers.get('content-type')?.startsWith('text/html')) wrong.push('a browser got no page')
    const code = await program.stop()
    if (code !== 0) wrong.push(`the program ended with ${code}`)
    return { load: `${statuses.length} calls`, worstMs: null, outcome: told(tally(statuses)), wrong }
  },
}
