import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { INSTALL_DIR } from './config.ts'
import { loadSite } from './site.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'radx-site-'))
  cpSync(join(INSTALL_DIR, 'site'), dir, { recursive: true })
})
afterEach(() => rmSync(dir, { recursive: true }))

// biome-ignore lint/suspicious/noExplicitAny: a test damages the file anywhere
function change(file: string, edit: (content: any) => void): void {
  const content = JSON.parse(readFileSync(join(dir, file), 'utf8'))
  edit(content)
  writeFileSync(join(dir, file), JSON.stringify(content))
}

describe('site folder', () => {
  test('the one that comes with the program is read, with the catchments that the specification names', async () => {
    const { site, catchments } = await loadSite(dir)
    expect(site.products.map((p) => p.shortName)).toEqual(['dpsri', 'sri'])
    expect(catchments.parents.map((c) => c.key)).toEqual(['bievre', 'melun', 'lemee', 'livry'])
    expect(catchments.find('melun')?.name).toBe('Melun')
    const [part] = catchments.childrenOf('bievre')
    expect(catchments.find('bievre', part.key)).toBe(part)
    expect(catchments.find('melun', part.key)).toBeUndefined()
    expect(catchments.find(part.key)).toBeUndefined()
  })

  test('[MAP-01] [MAP-22] [MAP-23] its map and its products lie where the specification says', async () => {
    const { site } = await loadSite(dir)
    expect(site.map).toMatchObject({
      center: { lat: 48.84251, lng: 2.58871 },
      zoom: 9,
      minZoom: 9,
      maxZoom: 13,
    })
    expect(
      Object.fromEntries(
        site.products.map(({ shortName, bounds, steps }) => [shortName, { ...bounds, steps }]),
      ),
    ).toEqual({
      dpsri: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 }, steps: 400 },
      sri: { ul: { lat: 49.733573, lng: 1.197286 }, lr: { lat: 47.935293, lng: 3.98 }, steps: 500 },
    })
  })

  test('bounds of a catchment hold all its points', async () => {
    const { catchments } = await loadSite(dir)
    for (const { polygons, bounds } of catchments.all)
      for (const [lng, lat] of polygons.flat(2)) {
        expect(lng).toBeGreaterThanOrEqual(bounds.ul.lng)
        expect(lng).toBeLessThanOrEqual(bounds.lr.lng)
        expect(lat).toBeLessThanOrEqual(bounds.ul.lat)
        expect(lat).toBeGreaterThanOrEqual(bounds.lr.lat)
      }
  })

  test.each<[string, string, RegExp]>([
    ['site.json', 'products[0].steps', /site\.json est refusé.*\n {2}products\[0\]\.steps : /],
    [
      'catchments.geojson',
      'features[0].properties.key',
      /catchments\.geojson est refusé.*\n {2}features\[0\]/,
    ],
  ])('%s: a wrong field %s is named with its file', async (file, path, said) => {
    change(file, (content) => {
      const keys = path.replace(/\[(\d+)\]/g, '.$1').split('.')
      const last = keys.pop()!
      keys.reduce((at, key) => at[key], content)[last] = null
    })
    await expect(loadSite(dir)).rejects.toThrow(said)
  })

  test('a parent that does not exist, and a default catchment that does not, are told', async () => {
    change('catchments.geojson', (c) => {
      c.features[1].properties.parent = 'nowhere'
    })
    await expect(loadSite(dir)).rejects.toThrow("le bassin parent « nowhere » n'existe pas")
    cpSync(join(INSTALL_DIR, 'site'), dir, { recursive: true })
    change('site.json', (s) => {
      s.defaultCatchment = 'nowhere'
    })
    await expect(loadSite(dir)).rejects.toThrow(/champ defaultCatchment/)
  })

  test('a missing file and one that is no JSON are told by name', async () => {
    writeFileSync(join(dir, 'site.json'), '{')
    await expect(loadSite(dir)).rejects.toThrow(/site\.json n'est pas un JSON valide/)
    rmSync(join(dir, 'site.json'))
    await expect(loadSite(dir)).rejects.toThrow(/site\.json n'existe pas\. SITE_DIR/)
  })
})
