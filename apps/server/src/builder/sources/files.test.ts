import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { LAMBERT93_PRJ, makeDbf, makePolygonShp } from '../../shapefiles/testing/make.ts'
import { buildCatchment } from '../build.ts'
import { checkRecipe } from '../recipe.ts'
import { RecipeFolder } from './files.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'radx-files-')))
afterAll(() => rmSync(top, { recursive: true }))
const root = join(top, 'root')
const dir = join(root, 'recette')
mkdirSync(join(dir, 'mnt'), { recursive: true })
mkdirSync(join(top, 'root-voisin'))
writeFileSync(join(top, 'secret.csv'), 'secret')
writeFileSync(join(root, 'a.csv'), 'a')
writeFileSync(join(dir, 'mnt', 'b.csv'), 'b')
symlinkSync(join(top, 'secret.csv'), join(dir, 'lien.csv'))
symlinkSync(top, join(dir, 'dossier'))
symlinkSync(join(top, 'pas-encore'), join(dir, 'vide.csv'))
symlinkSync(join(dir, 'mnt'), join(dir, 'dedans'))
const confined = new RecipeFolder(dir, { root })

describe('a recipe below a root', () => {
  test.each([
    ['mnt/b.csv', 'recette/mnt/b.csv'],
    ['../a.csv', 'a.csv'],
    ['mnt/../mnt/b.csv', 'recette/mnt/b.csv'],
    ['dedans/b.csv', 'recette/mnt/b.csv'],
    ['..notes.csv', 'recette/..notes.csv'],
    ['absent/encore/x.tif', 'recette/absent/encore/x.tif'],
  ])('%s is taken', (name, path) => {
    expect(confined.path(name)).toBe(join(root, path))
  })

  test.each([
    ['../../secret.csv', 'sort du dossier de la recette'],
    ['../../root-voisin/x', 'sort du dossier de la recette'],
    ['mnt/../../../secret.csv', 'sort du dossier de la recette'],
    [join(dir, 'mnt', 'b.csv'), 'est un chemin absolu'],
    ['lien.csv', 'passe par un lien qui sort'],
    ['dossier/secret.csv', 'passe par un lien qui sort'],
    ['dossier/absent.csv', 'passe par un lien qui sort'],
    ['vide.csv', 'passe par un lien qui sort'],
    ['vide.csv/x', 'passe par un lien qui sort'],
    ['a\0.csv', 'n’est pas un nom de fichier'],
  ])('%s is refused in words', async (name, words) => {
    expect(() => confined.path(name)).toThrow(words)
    await expect(confined.text(name)).rejects.toThrow('Mettez le fichier dans le dossier de la recette')
  })

  test('without a root paths may lie anywhere', async () => {
    const free = new RecipeFolder(dir)
    for (const name of ['../../secret.csv', join(top, 'secret.csv'), 'lien.csv'])
      expect(await free.text(name)).toBe('secret')
  })

  test('a build tells every source that leaves the root, and the parts of a shapefile too', async () => {
    writeFileSync(
      join(dir, 'c.shp'),
      makePolygonShp([
        [
          [0, 0],
          [0, 50],
          [50, 50],
          [50, 0],
          [0, 0],
        ],
      ]),
    )
    writeFileSync(join(top, 'c.dbf'), makeDbf(['N'], [['x']]))
    writeFileSync(join(dir, 'c.prj'), LAMBERT93_PRJ)
    symlinkSync(join(top, 'c.dbf'), join(dir, 'c.dbf'))
    const recipe = checkRecipe({
      id: 'petit',
      display: 'Petit',
      crs: 'EPSG:2154',
      cellSize: 10,
      outline: { bounds: [0, 0, 50, 50] },
      terrain: { files: ['../../secret.csv'] },
      landUse: {
        layers: [
          { kind: 'raster', file: 'lien.csv', map: 'same' },
          { kind: 'polygons', file: 'c.shp', code: 2 },
        ],
      },
      sewer: { inp: join(top, 'secret.csv') },
      points: { file: 'dossier/secret.csv' },
    })
    const told = await buildCatchment(recipe, { folder: dir, root, out: null }).catch((error: Error) => error)
    for (const words of [
      '../../secret.csv sort du dossier',
      'lien.csv passe par un lien',
      'c.dbf passe par un lien',
      'secret.csv est un chemin absolu',
      'dossier/secret.csv passe par un lien',
    ])
      expect((told as Error).message).toContain(words)
  })
})
