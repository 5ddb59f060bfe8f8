import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INSTALL_DIR, loadConfig } from './config.ts'

describe('settings', () => {
  test('without any, the program runs on this machine alone with its own data and database', () => {
    expect(loadConfig({}, '/somewhere')).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: join(INSTALL_DIR, 'data'),
      databaseUrl: null,
      demo: true,
      siteDir: join(INSTALL_DIR, 'site'),
      trustProxy: false,
    })
  })

  test('a folder that is set counts from the working folder; an empty variable counts as absent', () => {
    const config = loadConfig({ DATA_DIR: 'd', SITE_DIR: '/etc/radx', PORT: '', DEMO: '0' }, '/srv')
    expect(config).toMatchObject({ dataDir: '/srv/d', siteDir: '/etc/radx', port: 3000, demo: false })
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['DEMO', 'yes'],
    ['RADX_WORKERS', '9999'],
    ['DATABASE_URL', 'mysql://x'],
    ['RADX_LOG', 'loud'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Variable ${name}.*attendue?s?\\.`))
  })

  test('a refused database address is not repeated, since it may hold a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'pg://user:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/)
  })
})
