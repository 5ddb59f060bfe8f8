import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { RadxClient, RadxRefused } from '@radx/client'
import { declarationOf, type OpenApi } from '@radx/client/generate'
import { ROLE_MANAGER } from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { latestFiles } from '../browser/latest-files.ts'
import { type RadxServer, startRadx } from '../browser/radx-server.ts'

// What programs of others do with the product itself.

const ROOT = resolve(import.meta.dirname, '../..')
let server: RadxServer
let token: string

beforeAll(async () => {
  server = await startRadx()
  await server.ingest(await latestFiles(Date.now(), 25))
  const password = await server.addAccount('machine', { roles: [ROLE_MANAGER] })
  token = (await server.signIn('machine', password)).token
})
afterAll(() => server?.stop())

describe('the client in JavaScript', () => {
  test('its types are those of the calls that the server describes', async () => {
    const file = join(ROOT, 'packages/client/src/calls.d.ts')
    const described = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApi
    const declaration = declarationOf(described)
    if (process.env.RADX_WRITE) writeFileSync(file, declaration)
    // Not the texts themselves: their difference has thousands of lines.
    expect(
      readFileSync(file, 'utf8') === declaration,
      'RADX_WRITE=1 npx vitest run --project db tests/clients',
    ).toBe(true)
  })

  test('calls, names in the path, files and refusals; the token stands in no address', async () => {
    const asked: { url: string; headers: Headers }[] = []
    const spy: typeof fetch = (url, init) => {
      asked.push({ url: String(url), headers: new Headers(init?.headers) })
      return fetch(url, init)
    }
    const radx = new RadxClient({ address: `${server.url}/`, token, fetch: spy })
    const { images } = await radx.call('GET /api/products/latestImages', { query: { p: 'dpsri' } })
    expect(images.length).toBeGreaterThan(5)
    const rate: number | null = images[0].mean
    expect(typeof rate).toBe('number')
    const series = await radx.fetch('GET /ogc/edr/collections/{id}/position', {
      path: { id: 'dpsri' },
      query: { coords: 'POINT(2.65 48.54)', f: 'CSV' },
    })
    expect((await series.text()).trim().split('\n')).toHaveLength(images.length + 1)
    const site = await radx.call('GET /api/site')
    expect(site.timeZone).toBe('Europe/Paris')
    for (const { url, headers } of asked) {
      expect(url).not.toContain(token)
      expect(headers.get('authorization')).toBe(`Bearer ${token}`)
    }
    const refused = await radx
      .call('GET /api/products/month/{month}', { path: { month: '../../users' }, query: { p: 'dpsri' } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RadxRefused)
    expect(asked.at(-1)!.url).toContain('/month/..%2F..%2Fusers')
    const nobody = new RadxClient({ address: server.url })
    await expect(nobody.call('GET /api/gauges')).rejects.toMatchObject({ status: 401, code: 'auth.required' })
    const stopped = AbortSignal.abort()
    await expect(nobody.call('GET /api/products', { signal: stopped })).rejects.toThrow(/abort/i)
  })

  test('what is no call, and what a call lacks, does not compile', () => {
    // Looked at by the compiler alone.
    const wrong = (radx: RadxClient) => [
      // @ts-expect-error there is no such call
      radx.call('GET /api/nowhere'),
      // @ts-expect-error the product is missing
      radx.call('GET /api/products/latestImages'),
      // @ts-expect-error a name is missing in the path
      radx.call('GET /api/products/hours/{day}', { query: { p: 'dpsri' } }),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})

describe('the worked examples in Python', () => {
  const page = readFileSync(join(ROOT, 'docs/notebooks.md'), 'utf8')
  const examples = [...page.matchAll(/^## (\d\. .*?)$[\s\S]*?```python\n([\s\S]*?)```/gm)].map(
    ([, title, code]) => ({ title, code }),
  )
  /** The system's own before one that was put in its place: packages of a distribution are there. */
  const PYTHON = ['/usr/bin/python3', 'python3'].find((path) => !path.startsWith('/') || existsSync(path))!
  const python = (code: string) =>
    promisify(execFile)(PYTHON, ['-c', code], {
      env: { ...process.env, RADX: server.url, RADX_TOKEN: token },
      timeout: 240_000,
    })

  test('there are five', () => {
    expect(examples).toHaveLength(5)
  })

  test.for(examples)('$title', async ({ code }, context) => {
    const imported = [...code.matchAll(/^(?:import|from) ([a-z0-9_]+)/gm)].map(([, name]) => name)
    // Of those that open a store by HTTP, and a netCDF file.
    const needed = [
      ...imported,
      ...(code.includes('open_zarr') ? ['zarr', 'aiohttp'] : []),
      ...(code.includes('open_dataset') ? ['netCDF4'] : []),
    ]
    const missing = await python(needed.map((name) => `import ${name}`).join('\n')).then(
      () => null,
      (error: { code?: string; stderr?: string }) => error.stderr?.trim().split('\n').at(-1) ?? error.code,
    )
    if (missing !== null) return context.skip(`Python: ${missing}`)
    const { stdout } = await python(code)
    expect(stdout.trim()).not.toBe('')
    expect(stdout).not.toMatch(/\bnan\b|^0 frames/m)
  })
})
