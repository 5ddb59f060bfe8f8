import { shapefileSchema } from '@radx/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editAccount } from '../accounts/service.ts'
import { type AccountServer, bearer, passwordOf, startAccountServer } from '../testing/account-server.ts'
import { deleteShapefile, listShapefiles } from './queries.ts'
import { importShapefile } from './service.ts'
import { LAMBERT93_PRJ, makeDbf, makePointShp, makeZip } from './testing/make.ts'

const LAYER = { name: 'regards', longName: 'Regards de Melun', description: 'Relevé 2024', color: '#0b7285' }
const ZIP = makeZip({
  'regards.shp': makePointShp([[652_217, 6_861_684]]),
  'regards.dbf': makeDbf(['node_id', 'Text'], [['J1', 'Regard « n° 1 »']]),
  'regards.prj': LAMBERT93_PRJ,
})

let server: AccountServer
let owner: string
let manager: string
beforeAll(async () => {
  server = await startAccountServer()
  await importShapefile(server.database.db, ZIP, LAYER)
  owner = await server.signIn('alice', { shapefiles: ['regards'] })
  manager = await server.signIn('chef', { roles: ['manager'] })
})
afterAll(() => server?.close())

const get = (token: string | null, name = 'regards') =>
  server.app.inject({
    url: `/api/shapefile/${encodeURIComponent(name)}`,
    headers: token ? bearer(token) : {},
  })

describe('layers of an account', () => {
  test('[API-18] the login names them with their colours', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/users/login',
      payload: { username: 'alice', password: passwordOf('alice') },
    })
    expect(answer.json().shapefiles).toEqual([{ name: 'regards', color: '#0b7285' }])
  })

  test('[API-19] the call answers the fields of the specification', async () => {
    const answer = await get(owner)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const layer = shapefileSchema.parse(answer.json())
    expect(layer).toMatchObject({
      name: 'regards',
      longName: 'Regards de Melun',
      desc: 'Relevé 2024',
      color: '#0b7285',
    })
    expect(layer.shapefile.features[0].properties).toEqual({ node_id: 'J1', Text: 'Regard « n° 1 »' })
    expect(layer.bounds.ul).toEqual(layer.bounds.lr)
    expect((await get(null)).statusCode).toBe(401)
  })

  test('a layer is for whom it belongs to, managers included, and looks absent to others', async () => {
    expect((await get(null)).statusCode).toBe(401)
    const [others, absent] = [await get(manager), await get(owner, 'absent')]
    expect(others.statusCode).toBe(404)
    expect(absent.body).toBe(others.body)
    for (const name of ["' OR 1=1 --", '../regards', '<b>x</b>', 'x'.repeat(190)])
      expect((await get(owner, name)).statusCode, name).toBe(404)
    expect((await get(owner, 'reg\u0000ards ')).statusCode).toBe(400)
    await editAccount(server.database.db, 'chef', { shapefiles: ['regards'] })
    expect((await get(manager)).statusCode).toBe(200)
    await editAccount(server.database.db, 'chef', { shapefiles: [] })
    expect((await get(manager)).statusCode).toBe(404)
  })

  test('names, colours and unknown layers are checked', async () => {
    const { db } = server.database
    const add = (change: object) => importShapefile(db, ZIP, { ...LAYER, ...change })
    await expect(add({})).rejects.toMatchObject({ code: 'shapefile.taken' })
    await expect(add({ name: 'Été' })).rejects.toMatchObject({ code: 'shapefile.name' })
    await expect(add({ name: 'b', color: 'red;x' })).rejects.toMatchObject({ code: 'shapefile.color' })
    await expect(editAccount(db, 'alice', { shapefiles: ['absent'] })).rejects.toMatchObject({
      code: 'accounts.shapefile',
    })
    expect((await get(owner)).statusCode).toBe(200)
  })

  test('a removed layer is gone from its accounts', async () => {
    const { db } = server.database
    await importShapefile(db, ZIP, { ...LAYER, name: 'autre' })
    await editAccount(db, 'alice', { shapefiles: ['regards', 'autre'] })
    expect(await listShapefiles(db)).toEqual([
      { name: 'autre', longName: LAYER.longName, color: LAYER.color, features: 1, accounts: ['alice'] },
      { name: 'regards', longName: LAYER.longName, color: LAYER.color, features: 1, accounts: ['alice'] },
    ])
    expect(await deleteShapefile(db, 'autre')).toBe(true)
    expect(await deleteShapefile(db, 'autre')).toBe(false)
    expect((await get(owner, 'autre')).statusCode).toBe(404)
  })
})
