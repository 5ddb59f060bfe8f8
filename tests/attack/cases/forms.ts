import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AttackCase, tally, told, watch } from '../attack-case.ts'
import { CATCHMENT, type Program } from '../program.ts'

const MIB = 2 ** 20
/** What the program may grow by, whatever is sent, MB. */
const GROWTH_MB = 350

/** A form of `fields` texts of `size` bytes each, sent as it is made; answers its status, 0 when it was cut. */
function sendForm(program: Program, fields: number, size: number, stop?: AbortSignal): Promise<number> {
  return new Promise((done) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: program.port,
        method: 'POST',
        path: '/api/job/multihydro',
        headers: {
          authorization: `Bearer ${program.tokens.user}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        signal: stop,
      },
      (answer) => {
        answer.resume()
        done(answer.statusCode ?? 0)
        call.destroy()
      },
    )
    call.on('error', () => done(0))
    const chunk = Buffer.alloc(64 * 1024, 0x61)
    const closed = new Promise<void>((next) => call.once('close', next))
    const drained = () => Promise.race([closed, new Promise<void>((next) => call.once('drain', next))])
    void (async () => {
      for (let k = 0; k < fields && !call.destroyed; k++) {
        call.write(`--b\r\ncontent-disposition: form-data; name="f${k}"\r\n\r\n`)
        for (let sent = 0; sent < size && !call.destroyed; sent += chunk.length)
          if (!call.write(chunk)) await drained()
        call.write('\r\n')
      }
      if (!call.destroyed) call.end('--b--\r\n')
    })()
  })
}

export const wideForms: AttackCase = {
  name: 'forms: sixty fields of 32 MiB, many at once, are refused before they fill the memory',
  async run({ program, long }) {
    const before = program.memoryMb()
    let peak = before
    const sampler = setInterval(() => {
      peak = Math.max(peak, program.memoryMb())
    }, 50)
    const health = await watch(program)
    const rounds = long ? 20 : 1
    const statuses: number[] = []
    for (let k = 0; k < rounds; k++)
      statuses.push(...(await Promise.all(Array.from({ length: 6 }, () => sendForm(program, 60, 32 * MIB)))))
    const { worst, failed } = await health.stop()
    clearInterval(sampler)
    const wrong: string[] = []
    // A connection may be cut while it still sends; the answer is then lost on the way.
    if (statuses.some((status) => ![0, 413, 429, 503].includes(status)))
      wrong.push(`a form was answered otherwise: ${told(tally(statuses))}`)
    if (peak - before > GROWTH_MB) wrong.push(`the memory grew by ${peak - before} MB`)
    if (failed > 0) wrong.push(`/healthz failed ${failed} times`)
    return {
      load: `${statuses.length} forms of 1.9 GiB`,
      worstMs: worst,
      outcome: `${told(tally(statuses))}; +${peak - before} MB`,
      wrong,
    }
  },
}

export const slowForms: AttackCase = {
  name: 'forms: many that trickle in hold neither memory nor the place of others',
  async run({ program, long }) {
    const before = program.memoryMb()
    const stop = new AbortController()
    // Each sends 16 MiB and then keeps the line open.
    const held = Array.from({ length: long ? 60 : 20 }, () => {
      const call = request({
        host: '127.0.0.1',
        port: program.port,
        method: 'POST',
        path: '/api/job/multihydro',
        headers: {
          authorization: `Bearer ${program.tokens.user}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': 30 * MIB,
        },
        signal: stop.signal,
      })
      let status = 0
      call.on('error', () => undefined)
      call.on('response', (answer) => {
        answer.resume()
        status = answer.statusCode ?? 0
      })
      call.write('--b\r\ncontent-disposition: form-data; name="luseUpdates"\r\n\r\n')
      call.write(Buffer.alloc(16 * MIB, 0x61))
      return () => status
    })
    const health = await watch(program)
    await sleep(long ? 20_000 : 3_000)
    // A busy machine takes longer to read what is refused.
    for (const end = Date.now() + 60_000; !held.some((status) => status() === 429) && Date.now() < end; )
      await sleep(100)
    const grown = program.memoryMb() - before
    // Somebody else's form is read meanwhile.
    const form = new FormData()
    form.set('title', 'x')
    const other = await program.call('manager', '/api/job/multihydro', { method: 'POST', body: form })
    const { worst } = await health.stop()
    const statuses = held.map((status) => status())
    stop.abort()
    const wrong: string[] = []
    if (other.status !== 400) wrong.push(`another user's form was answered ${other.status}`)
    if (grown > GROWTH_MB) wrong.push(`the memory grew by ${grown} MB`)
    if (!statuses.includes(429)) wrong.push(`none was refused: ${told(tally(statuses))}`)
    return {
      load: `${held.length} forms that stay open`,
      worstMs: worst,
      outcome: `${told(tally(statuses))}; +${grown} MB`,
      wrong,
    }
  },
}

export const oddTexts: AttackCase = {
  name: 'texts: NUL, half a character and nests of brackets answer 400 in every call that takes a text',
  async run({ program }) {
    const wrong: string[] = []
    const statuses: number[] = []
    const expect = async (what: string, wanted: number[], answer: Response) => {
      statuses.push(answer.status)
      if (!wanted.includes(answer.status)) wrong.push(`${what}: ${answer.status} ${await answer.text()}`)
    }
    const json = (method: string, body: string): RequestInit => ({
      method,
      headers: { 'content-type': 'application/json' },
      body,
    })
    const dates = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }
    const event = (title: string) => JSON.stringify({ title, product: 'dpsri', selectionDates: dates })
    for (const odd of ['a\0b', 'a\ud800b']) {
      const name = JSON.stringify(odd)
      await expect('event', [400], await program.call('user', '/api/users/events', json('PUT', event(odd))))
      const login = JSON.stringify({ username: `${odd}cd`, password: 'quelconque' })
      await expect('login', [400], await program.call('anonymous', '/api/users/login', json('POST', login)))
      const message = JSON.stringify({ main: odd, isPublished: false })
      await expect(
        `message ${name}`,
        [400],
        await program.call('manager', '/api/article/home-message', json('PUT', message)),
      )
    }
    for (const path of [
      '/api/products/latestImages?p=%00',
      '/api/products/month/2026-06?p=dpsri&c=%00',
      '/images/radar/dpsri/%00.png',
    ])
      await expect(path, [400, 404], await program.call('anonymous', path))
    const form = new FormData()
    form.set('title', 'a\0b')
    form.set('catchmentId', CATCHMENT)
    await expect(
      'form',
      [400],
      await program.call('user', '/api/job/multihydro', { method: 'POST', body: form }),
    )
    for (const deep of ['['.repeat(400_000), '{"a":'.repeat(150_000)])
      await expect('deep', [400], await program.call('user', '/api/users/events', json('PUT', deep)))
    const closed = `{"title":"x","product":"dpsri","selectionDates":${'['.repeat(300_000)}${']'.repeat(300_000)}}`
    await expect('deep', [400], await program.call('user', '/api/users/events', json('PUT', closed)))
    return {
      load: `${statuses.length} calls`,
      worstMs: null,
      outcome: told(tally(statuses)),
      wrong,
    }
  },
}
