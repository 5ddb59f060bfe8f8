import { Agent, request } from 'node:http'
import { type AttackCase, tally, told } from '../attack-case.ts'
import { ACCOUNTS, type Program } from '../program.ts'

const ATTACKERS = 150
const OWNER_MS = 3_000

interface Try {
  username: string
  password: string
  device?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })

/** A login from an address, through the proxy that the program believes. */
function login(
  program: Program,
  from: string,
  body: Try,
): Promise<{ status: number; device?: string; token?: string }> {
  return new Promise((done) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: program.port,
        agent,
        method: 'POST',
        path: '/api/users/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      },
      async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        const { device, token } = answer.statusCode === 200 ? JSON.parse(text) : {}
        done({ status: answer.statusCode ?? 0, device, token })
      },
    )
    call.on('error', () => done({ status: 0 }))
    call.end(JSON.stringify(body))
  })
}

export const botnetLogins: AttackCase = {
  name: 'logins: 150 addresses that fail at a name lock its owner out nowhere',
  async run({ program, long }) {
    const { name: username, password } = ACCOUNTS.user
    const { device } = await login(program, '203.0.113.1', { username, password })
    let stopped = false
    const statuses: number[] = []
    const attackers = Array.from({ length: ATTACKERS }, async (_, k) => {
      while (!stopped) {
        const { status } = await login(program, `198.51.100.${k + 1}`, { username, password: 'faux-mot' })
        statuses.push(status)
      }
    })
    const wrong: string[] = []
    let worst = 0
    const owner = async (what: string, from: string, body: Try) => {
      const begin = performance.now()
      const { status, token } = await login(program, from, body)
      // The account's oldest session may have ended for this one: the next cases go on with it.
      if (token !== undefined) program.tokens.user = token
      const ms = Math.round(performance.now() - begin)
      worst = Math.max(worst, ms)
      if (status !== 200) wrong.push(`${what}: ${status}`)
      else if (long && ms > OWNER_MS) wrong.push(`${what} took ${ms} ms`)
    }
    const end = Date.now() + (long ? 60_000 : 3_000)
    await new Promise((next) => setTimeout(next, 1_000))
    for (let k = 0; Date.now() < end; k++) {
      await owner('the owner at a known browser', '203.0.113.1', { username, password, device })
      // The worst case: the owner's browser behind an address that fails as well.
      await owner('a known browser behind a failing address', '198.51.100.1', { username, password, device })
      await owner('the owner at a new address', `203.0.113.${(k % 200) + 2}`, { username, password })
      await new Promise((next) => setTimeout(next, 500))
    }
    stopped = true
    await Promise.all(attackers)
    if (statuses.some((status) => ![401, 429, 503].includes(status)))
      wrong.push(`an attacker was answered otherwise: ${told(tally(statuses))}`)
    return {
      load: `${statuses.length} failures of ${ATTACKERS} addresses`,
      worstMs: worst,
      outcome: told(tally(statuses)),
      wrong,
    }
  },
}
