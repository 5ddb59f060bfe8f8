import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as zarr from 'zarrita'
import { ARCHIVE, codesOf, FRAMES, iso, STEPS, startOgcServer } from '../testing/ogc-server.ts'

const HOUR = 3_600_000
const ARCHIVED = FRAMES.filter((ms) => ms < ARCHIVE + HOUR)
const STORE = `/ogc/zarr/dpsri/${iso(ARCHIVE)}/${iso(ARCHIVE + HOUR)}`

describe('a period as a Zarr store', () => {
  let server: Awaited<ReturnType<typeof startOgcServer>>
  beforeAll(async () => {
    server = await startOgcServer()
  })
  afterAll(() => server?.close())
  const get = (key: string, headers: Record<string, string> = {}, store = STORE) =>
    server.app.inject({ url: `${store}/${key}`, headers: { authorization: 'Bearer manager', ...headers } })

  test('a reader of others opens it: dimensions, instants, missing as NaN, dry as 0', async () => {
    const store = {
      get: async (key: `/${string}`) => {
        const answer = await get(key.slice(1))
        return answer.statusCode === 200 ? new Uint8Array(answer.rawPayload) : undefined
      },
    }
    const group = await zarr.open.v2(store, { kind: 'group' })
    expect(group.attrs).toMatchObject({ Conventions: 'CF-1.11', product: 'dpsri' })
    const rates = await zarr.open.v2(group.resolve('rain_rate'), { kind: 'array' })
    expect(rates.shape).toEqual([ARCHIVED.length, STEPS, STEPS])
    expect(rates.attrs._ARRAY_DIMENSIONS).toEqual(['time', 'lat', 'lon'])
    const k = 5
    const { data } = await zarr.get(rates, [k, null, null])
    const wanted = Array.from(codesOf(ARCHIVED[k]), (code) => (code === 65535 ? Number.NaN : code / 100))
    wanted.forEach((rate, i) => {
      if (Number.isNaN(rate)) expect((data as Float32Array)[i]).toBeNaN()
      else expect((data as Float32Array)[i]).toBeCloseTo(rate, 4)
    })
    const time = await zarr.open.v2(group.resolve('time'), { kind: 'array' })
    expect([...((await zarr.get(time)).data as Float64Array)]).toEqual(ARCHIVED.map((ms) => ms / 1000))
    const lat = (await zarr.get(await zarr.open.v2(group.resolve('lat'), { kind: 'array' }))).data
    expect((lat as Float64Array)[0]).toBeCloseTo(49 - 0.5 / STEPS, 9)
    const { metadata } = (await get('.zmetadata')).json()
    expect(metadata['rain_rate/.zarray']).toEqual((await get('rain_rate/.zarray')).json())
  })

  test('parts of an object come by Range; a part behind its end is refused', async () => {
    const whole = await get('rain_rate/0.0.0')
    const size = whole.rawPayload.length
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' })
    const part = await get('rain_rate/0.0.0', { range: 'bytes=4-11' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 4-11/${size}`])
    expect(part.rawPayload.equals(whole.rawPayload.subarray(4, 12))).toBe(true)
    expect((await get('rain_rate/0.0.0', { range: `bytes=${size}-` })).statusCode).toBe(416)
    expect(zstdDecompressSync(whole.rawPayload).length).toBe(4 * STEPS * STEPS)
  })

  test('managers only, inside their dates, told once in the trail; odd periods and keys are refused', async () => {
    expect((await server.call(`${STORE}/.zgroup`)).statusCode).toBe(401)
    expect((await server.call(`${STORE}/.zgroup`, 'user')).json().code).toBe('auth.manager')
    const told = await server.deps.db
      .selectFrom('audit_event')
      .select('subject')
      .where('actor', '=', 'm')
      .where('subject', 'like', '/ogc/zarr/%')
      .execute()
    expect(told).toHaveLength(1)
    for (const [store, key, status] of [
      [STORE, 'rain_rate/99.0.0', 404],
      [STORE, 'rain_rate/0.0.1', 404],
      [STORE, 'constructor', 404],
      [STORE, '__proto__/.zarray', 404],
      [STORE, '..%2f..%2fetc', 404],
      ['/ogc/zarr/nowhere/2025-06-01/2025-06-02', '.zgroup', 404],
      ['/ogc/zarr/dpsri/2025-06-02/2025-06-01', '.zgroup', 400],
      ['/ogc/zarr/dpsri/2015-06-01/2025-06-01', '.zgroup', 400],
      ['/ogc/zarr/dpsri/hier/2025-06-01', '.zgroup', 400],
    ] as const)
      expect([store, key, (await get(key, {}, store)).statusCode]).toEqual([store, key, status])
    const empty = '/ogc/zarr/dpsri/2020-06-01/2020-06-02'
    expect((await get('rain_rate/.zarray', {}, empty)).json().shape).toEqual([0, STEPS, STEPS])
  })
})
