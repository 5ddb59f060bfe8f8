import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { LAMBERT93_PRJ, makeDbf, makePointShp, makeZip } from '../shapefiles/testing/make.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { main } from './main.ts'

const RADX = join(import.meta.dirname, '../../bin/radx.js')
let database: TestDatabase
let dir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dir = mkdtempSync(join(tmpdir(), 'radx-cli-'))
})
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('DATA_DIR', dir)
  vi.stubEnv('DEMO', '0')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await database?.drop()
  rmSync(dir, { recursive: true, force: true })
})

interface Outcome {
  code: number | null
  out: string
  err: string
}

/** In this process: a new one for each line would take most of the test's time. */
async function radx(...args: string[]): Promise<Outcome> {
  const outcome: Outcome = { code: null, out: '', err: '' }
  const log = vi.spyOn(console, 'log').mockImplementation((line) => {
    outcome.out += `${line}\n`
  })
  const error = vi.spyOn(console, 'error').mockImplementation((line) => {
    outcome.err += `${line}\n`
  })
  try {
    outcome.code = await main(args)
    return outcome
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

/** As a program of its own, with a password on standard input. */
function spawnRadx(args: string[], stdin: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [RADX, ...args])
    const outcome: Outcome = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      outcome.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      outcome.err += chunk
    })
    child.on('close', (code) => resolve({ ...outcome, code }))
    child.stdin.end(stdin)
  })
}

test('[AUTH-22] accounts are made, listed, changed and closed from the command line', async () => {
  const made = await spawnRadx(
    ['user', 'add', 'Alice', '--role', 'manager', '--from', '2026-03-01'],
    'parapluie\n',
  )
  expect(made).toMatchObject({ code: 0, out: 'Compte « Alice » créé.\n' })
  expect((await radx('user', 'add', 'alice', '--generate')).err).toMatch(/existe déjà/)
  expect(await spawnRadx(['user', 'add', 'bob'], 'court\n')).toMatchObject({
    code: 1,
    err: 'radx user : Le mot de passe doit avoir entre 8 et 512 caractères.\n',
  })
  expect((await radx('user', 'add', 'bob', '--role', 'roi', '--generate')).err).toMatch(
    /« roi » n'existe pas/,
  )
  expect((await radx('user', 'edit', 'alice', '--to', 'demain')).code).toBe(64)
  expect((await radx('user', 'edit', 'alice', '--to', '2026-02-01')).err).toMatch(/doit précéder sa fin/)
  expect((await radx('user', 'edit', 'alice', '--role', '', '--to', '2026-06-01T06:00:00Z')).code).toBe(0)
  const drawn = await radx('user', 'password', 'alice', '--generate')
  expect(drawn.out).toMatch(/^Mot de passe : [\w-]{16}\n/)
  expect((await radx('user', 'disable', 'alice')).code).toBe(0)
  const { out } = await radx('user', 'list')
  expect(out).toMatch(/^NOM +RÔLES +ACCÈS +COUCHES +ÉTAT\n/)
  // Midnight of 1 March in Paris, an hour ahead; 6 h UTC of 1 June, two hours ahead.
  expect(out).toMatch(/Alice +– +du 01\/03\/2026 - 00:00:00 au 01\/06\/2026 - 08:00:00 +– +désactivé/)
  expect((await radx('user', 'enable', 'nobody')).err).toMatch(/Le compte « nobody » n'existe pas/)
})

test('layers are added, given to accounts, listed and removed', async () => {
  const zip = join(dir, 'Regards.zip')
  writeFileSync(
    zip,
    makeZip({
      'r.shp': makePointShp([[652_217, 6_861_684]]),
      'r.dbf': makeDbf(['Text'], [['R1']]),
      'r.prj': LAMBERT93_PRJ,
    }),
  )
  await radx('user', 'add', 'carol', '--generate')
  expect(await radx('shapefile', 'add', zip, '--title', 'Regards', '--user', 'carol')).toMatchObject({
    code: 0,
    out: 'Couche « regards » ajoutée (1 élément).\n',
    err: '',
  })
  expect((await radx('shapefile', 'list')).out).toMatch(/regards +Regards +#0b7285 +1 +carol/)
  const far = join(dir, 'far.geojson')
  writeFileSync(far, JSON.stringify({ type: 'Point', coordinates: [-70, 10] }))
  expect((await radx('shapefile', 'add', far, '--name', 'loin')).err).toMatch(
    /hors de la couverture du radar/,
  )
  const broken = join(dir, 'broken.zip')
  writeFileSync(broken, 'PK nothing')
  expect(await radx('shapefile', 'add', broken)).toMatchObject({
    code: 1,
    err: "radx shapefile : L'archive zip est endommagée ou chiffrée. La refaire, puis réessayer.\n",
  })
  expect((await radx('shapefile', 'add', join(dir, 'absent.zip'))).code).toBe(64)
  expect((await radx('shapefile', 'remove', 'regards')).code).toBe(0)
  expect((await radx('shapefile', 'remove', 'regards')).err).toMatch(/n'existe pas/)
})

test('what managers see and do in the browser, commands show and do, and both leave lines in one chain', async () => {
  expect((await radx('user', 'add', 'dora', '--role', 'manager', '--generate')).code).toBe(0)
  const link = await radx('user', 'link', 'dora')
  expect(link.out).toMatch(/^\/compte#lien=[\w-]{43}\n$/)
  expect((await radx('user', 'remove-factors', 'dora')).out).toMatch(/retiré/)
  expect((await radx('user', 'end-sessions', 'dora')).out).toMatch(/closes : 0/)

  const lines = (await radx('audit', '--json')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, 4).map(({ via, action, subject }) => [via, action, subject])).toEqual([
    ['command', 'session.end', 'dora'],
    ['command', 'factor.remove', 'dora'],
    ['command', 'password.link', 'dora'],
    ['command', 'account.create', 'dora'],
  ])
  expect((await radx('audit', '--since', '2100-01-01', '--json')).out).toBe('')
  const sound = await radx('audit', '--verify')
  expect(sound.code).toBe(0)
  const head = /Tête : (\d+:[0-9a-f]{64})/.exec(sound.out)![1]
  expect((await radx('audit', '--head', head)).code).toBe(0)
  expect((await radx('audit', '--head', `${head.split(':')[0]}:${'0'.repeat(64)}`)).code).toBe(1)
  expect((await radx('audit', '--head', 'x')).code).toBe(64)

  const { rows } = await database.pool.query(
    `insert into job (id, kind, username, input, status, error) values
      (gen_random_uuid(), 'multihydro', 'dora', '{"title":"Crue"}', 'error', 'Pluie absente.') returning id`,
  )
  expect(JSON.parse((await radx('admin', 'jobs', '--json')).out)).toMatchObject({
    failed: 1,
    jobs: [{ title: 'Crue' }],
  })
  expect((await radx('admin', 'retry', rows[0].id)).out).toMatch(/de nouveau en attente/)
  expect(JSON.parse((await radx('admin', 'jobs', '--json')).out)).toMatchObject({ waiting: 1, failed: 0 })
  expect((await radx('admin', 'cancel', rows[0].id)).out).toMatch(/terminé/)
  expect((await radx('admin', 'retry', 'x')).code).toBe(64)
  expect((await radx('admin', 'ingest')).out).toMatch(/PRODUIT +RETARD +LACUNES/)
  expect(JSON.parse((await radx('admin', 'storage', '--json')).out).databaseBytes).toBeGreaterThan(1e6)

  // What she keeps against her quotas, all that is kept of her, and a file that was refused.
  expect((await radx('user', 'use')).out).toMatch(/dora +1 \/ 300 +0 \/ 100 +0 \/ 1.000 /)
  expect(JSON.parse((await radx('user', 'use', '--json')).out).accounts).toContainEqual(
    expect.objectContaining({ name: 'dora', use: expect.objectContaining({ runs: 1 }) }),
  )
  expect(JSON.parse((await radx('user', 'data', 'dora')).out)).toMatchObject({
    account: { name: 'dora' },
    jobs: [{ title: 'Crue' }],
  })
  const bad = join(dir, 'pluie.h5')
  writeFileSync(bad, 'not a grid')
  expect((await radx('ingest', bad)).code).toBe(1)
  expect((await radx('audit', '--json')).out).toContain('"details":{"known":"0","stored":"0","refused":"1"}')
  mkdirSync(join(dir, 'rejected'), { recursive: true })
  writeFileSync(join(dir, 'rejected', 'pluie.h5'), 'not a grid')
  const copy = join(dir, 'copy.h5')
  expect((await radx('admin', 'rejected', 'pluie.h5', '--out', copy)).code).toBe(0)
  expect(readFileSync(copy, 'utf8')).toBe('not a grid')
  expect((await radx('admin', 'rejected', '../copy.h5')).code).toBe(64)

  expect((await radx('user', 'erase', 'dora')).code).toBe(64)
  expect((await radx('user', 'erase', 'dora', '--hand-to', 'personne')).err).toMatch(/pas un gestionnaire/)
  expect((await radx('user', 'erase', 'dora', '--delete-runs')).code).toBe(0)
  expect((await radx('user', 'list')).out).not.toMatch(/dora/)
  expect((await radx('admin', 'jobs', '--json')).out).not.toMatch(/Crue/)
})

test('whoever runs the machine may take the last manager away, and is told what that means and how to undo it', async () => {
  await database.pool.query(`update account set roles = '{}'`)
  for (const name of ['eva', 'franz']) await radx('user', 'add', name, '--role', 'manager', '--generate')
  expect(await radx('user', 'disable', 'eva')).toMatchObject({ code: 0, err: '' })
  const told = /« franz » était le dernier gestionnaire.*radx user edit NOM --role manager/
  expect(await radx('user', 'edit', 'franz', '--role', '')).toMatchObject({
    code: 0,
    err: expect.stringMatching(told),
  })
  // Nobody loses anything that he no longer had.
  expect((await radx('user', 'disable', 'franz')).err).toBe('')
  await radx('user', 'enable', 'franz')
  await radx('user', 'edit', 'franz', '--role', 'manager')
  expect((await radx('user', 'edit', 'franz', '--from', '2026-03-01')).err).toBe('')
  expect((await radx('user', 'disable', 'franz')).err).toMatch(told)
  await radx('user', 'enable', 'franz')
  expect((await radx('user', 'erase', 'franz', '--delete-runs')).err).toMatch(told)
})

test('token add writes the token alone, list and revoke take it by name, and what is wrong is said at the option', async () => {
  await radx('user', 'add', 'jeton', '--generate')
  const made = await radx('token', 'add', 'jeton', '--name', 'carnet', '--scope', 'read,run', '--days', '7')
  expect([made.code, made.err]).toEqual([0, expect.stringContaining('Il ne sera plus montré')])
  expect(made.out).toMatch(/^radx_[\w-]{43}\n$/)
  const listed = await radx('token', 'list', 'jeton')
  expect(listed.out).toMatch(/carnet +read, run/)
  expect(listed.out).not.toContain(made.out.trim())
  expect((await radx('token', 'revoke', 'jeton', 'carnet')).out).toContain('révoqué')
  for (const [args, words] of [
    [['--scope', 'read'], '--name'],
    [['--name', 'x'], '--scope'],
    [['--name', 'x', '--scope', 'tout'], '--scope'],
    [['--name', 'x', '--scope', 'read', '--days', '0'], '--days'],
    [['--name', 'x', '--scope', 'manage'], 'gestionnaires'],
  ] as const) {
    const refused = await radx('token', 'add', 'jeton', ...args)
    expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining(words)])
  }
  expect((await radx('token', 'revoke', 'jeton', 'carnet')).err).toContain('aucun jeton')
})
