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

  test('floods of the demonstration are forecast where there is one, unless that is turned off', () => {
    expect(loadConfig({}).demoFloods).toBe(true)
    expect(loadConfig({ DEMO_FLOODS: '0' }).demoFloods).toBe(false)
    expect(loadConfig({ DEMO: '0', DEMO_FLOODS: '1' }).demoFloods).toBe(false)
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['DEMO', 'yes'],
    ['DEMO_FLOODS', 'yes'],
    ['RADX_WORKERS', '9999'],
    ['DATABASE_URL', 'mysql://x'],
    ['SEED_KEY', 'trop-court'],
    ['RADX_LOG', 'loud'],
    ['SMTP_URL', 'http://mail'],
    ['OUTBOUND_ALLOW', '10.0.0.0/40'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^Variable ${name}.*attendue?s?\\.`))
  })

  test('a refused database address is not repeated, since it may hold a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'pg://user:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/)
    for (const name of ['SEED_KEY', 'SMTP_URL', 'NOTICE_KEY'])
      expect(() => loadConfig({ [name]: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })

  const bucket = { STORE_URL: 's3://radx-1/a/b/', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2' }
  test('a bucket is described by the variables of the AWS tools', () => {
    expect(loadConfig(bucket).objectStore).toEqual({
      bucket: 'radx-1',
      prefix: 'a/b/',
      endpoint: null,
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'hunter2',
    })
    const own = { ...bucket, AWS_ENDPOINT_URL: 'http://127.0.0.1:9000/', AWS_REGION: 'fr-par' }
    expect(loadConfig(own).objectStore).toMatchObject({ endpoint: 'http://127.0.0.1:9000', region: 'fr-par' })
  })

  test.each([
    ['STORE_URL', 'https://bucket/'],
    ['STORE_URL', 's3://bucket/../other'],
    ['STORE_URL', 's3://B'],
    ['AWS_ENDPOINT_URL', 'http://user:hunter2@host'],
    ['AWS_SECRET_ACCESS_KEY', ''],
  ])('a bucket with %s=%s is refused by name, without its keys', (name, value) => {
    expect(() => loadConfig({ ...bucket, [name]: value })).toThrow(
      new RegExp(`^(?!.*hunter2)Variable ${name} : `),
    )
  })
})
