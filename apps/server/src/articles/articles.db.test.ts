import { HOME_MESSAGE_MAX } from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountServer, bearer, startAccountServer } from '../testing/account-server.ts'
import { XSS_CORPUS } from './testing/xss-corpus.ts'

let server: AccountServer
let manager: string
let user: string
beforeAll(async () => {
  server = await startAccountServer()
  manager = await server.signIn('gestionnaire', { roles: ['manager'] })
  user = await server.signIn('simple')
})
afterAll(() => server?.close())

const read = async () => (await server.app.inject({ url: '/api/article/home-message' })).json()
const readAsManager = async () =>
  (await server.app.inject({ url: '/api/admin/article/home-message', headers: bearer(manager) })).json()
const save = (payload: unknown, token: string | null = manager) =>
  server.app.inject({
    method: 'PUT',
    url: '/api/article/home-message',
    headers: { ...(token ? bearer(token) : {}), 'content-type': 'application/json' },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

describe('home message', () => {
  test('[ADMIN-06] before the first save both lists are empty', async () => {
    expect(await read()).toEqual([])
    expect(await readAsManager()).toEqual([])
  })

  test('[ADMIN-05] [API-21] [API-22] [API-23] a draft is for managers alone; published, visitors read it without a session', async () => {
    const saved = await save({ main: '<p>Maintenance <strong>mardi</strong></p>', isPublished: false })
    expect(saved.statusCode).toBe(200)
    expect(await read()).toEqual([])
    expect(await readAsManager()).toEqual([
      { main: '<p>Maintenance <strong>mardi</strong></p>', isPublished: false },
    ])
    await save({ main: '<p>Maintenance <strong>mardi</strong></p>', isPublished: true })
    expect(await read()).toEqual([{ main: '<p>Maintenance <strong>mardi</strong></p>' }])
    await save({ main: '<p> </p>', isPublished: true })
    expect(await read()).toEqual([])
  })

  test('[ADMIN-01] the server lets managers alone write and read drafts', async () => {
    expect((await save({ main: 'x', isPublished: true }, user)).statusCode).toBe(403)
    expect((await save({ main: 'x', isPublished: true }, null)).statusCode).toBe(401)
    const url = '/api/admin/article/home-message'
    const refused = await server.app.inject({ url, headers: bearer(user) })
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toBe('Cette action est réservée aux gestionnaires.')
    expect((await server.app.inject({ url })).statusCode).toBe(401)
  })

  test('what is stored is cleaned, and nothing of it is an error', async () => {
    const main = XSS_CORPUS.filter((text) => text.length < 1000 && !text.includes('\0')).join('\n')
    const answer = await save({ main, isPublished: true })
    expect(answer.statusCode).toBe(200)
    const [{ main: stored }] = await read()
    expect(answer.json()).toEqual([{ main: stored, isPublished: true }])
    expect(stored).not.toMatch(/<(?!\/?(p|br|hr|h[234]|strong|em|u|s|ul|ol|li|blockquote|code|a)[ >/])/)
  })

  test('bad input is refused with its status in French', async () => {
    const cases: [unknown, number][] = [
      ['{"main":', 400],
      [{ main: 'x' }, 400],
      [{ main: 1, isPublished: true }, 400],
      [{ main: 'x', isPublished: 'yes' }, 400],
      [{ main: 'x'.repeat(HOME_MESSAGE_MAX + 1), isPublished: true }, 400],
      [{ main: 'x'.repeat(HOME_MESSAGE_MAX * 7), isPublished: true }, 413],
      [{ main: "'; DROP TABLE article; --\u0000", isPublished: true }, 400],
      [{ main: "'; DROP TABLE article; --\ud800", isPublished: true }, 400],
      [{ main: "'; DROP TABLE article; --", isPublished: true }, 200],
    ]
    for (const [payload, status] of cases) {
      const answer = await save(payload)
      expect(answer.statusCode, JSON.stringify(payload).slice(0, 60)).toBe(status)
      if (status !== 200) expect(answer.json().message).toMatch(/\.$/)
    }
    expect((await read())[0].main).toMatch(/^'; DROP TABLE article; --/)
  })
})
