import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SMALL_CATCHMENT as FILES, writeSmallCatchment } from '../testing/small-catchment.ts'
import { readCatchmentPackage } from './catchment-package.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-package-'))
afterAll(() => rmSync(root, { recursive: true }))
let count = 0
const packageWith = (changes: Record<string, string | null>) =>
  readCatchmentPackage(writeSmallCatchment(join(root, String(count++)), changes))

describe('catchment package', () => {
  test('a sound one is read whole', async () => {
    const read = await packageWith({})
    expect(read.catchment.display).toBe('Petit bassin')
    expect(read.elevation.data).toHaveLength(96)
    expect(read.elevation.data[0]).toBeNaN()
    expect(read.gullies.map((gully) => gully.cell)).toEqual([51, 56])
    expect([...read.nodeCells]).toEqual([51, 56, 59])
    expect(read.masks.get('place')?.reduce((sum, value) => sum + value, 0)).toBe(12)
  })

  test.each([
    [{ 'catchment.json': null }, 'catchment.json n’existe pas'],
    [{ 'catchment.json': '{' }, 'n’est pas du JSON'],
    [{ 'catchment.json': '{"id":"petit"}' }, 'display'],
    [
      { 'elevation.asc': FILES['elevation.asc'].replace('xllcorner 1000', 'xllcorner 1005') },
      'elevation.asc n’est pas calé',
    ],
    [{ 'luse.asc': FILES['luse.asc'].replace('cellsize 10', 'cellsize 20') }, 'luse.asc n’est pas calé'],
    [
      { 'elevation.asc': FILES['elevation.asc'].replace(' 29.6 ', ' -9999 ') },
      'mais NODATA dans elevation.asc',
    ],
    [{ 'luse.asc': FILES['luse.asc'].replace(' 4 ', ' 2.5 ') }, 'pas un entier positif'],
    [{ 'luse.asc': FILES['luse.asc'].replace(' 4 ', ' 17 ') }, 'luse.asc : code(s) sans paramètres : 17'],
    [
      {
        'mask-place.asc': FILES['mask-place.asc']
          .replace('ncols 12', 'ncols 8')
          .replace('nrows 8', 'nrows 12'),
      },
      'mask-place.asc n’est pas calé',
    ],
    [{ 'gullies.csv': 'gully,row,col\nG-1,4,3\n' }, 'il manque la colonne junction'],
    [{ 'gullies.csv': 'gully,row,col,junction\nG-1,4,99,J-1\n' }, 'gullies.csv, ligne 2 : col vaut « 99 »'],
    [{ 'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-1\nG-2,4,8,J-9\n' }, 'J-9'],
    [{ 'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-1\nG-2,4,7,J-2\n' }, 'pas sur une maille de code 5'],
    [{ 'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-1\n' }, 'n’ont pas d’avaloir'],
    [{ 'network.inp': FILES['network.inp'].replace('J-2 OUT-1 40', 'J-2 J-2 40') }, 'network.inp'],
    [{ 'catchment.json': '{"id":"place"}' }, 'catchment.json : display : une valeur est attendue'],
    [{ 'parameters.json': '{"2":{"n":"rough"}}' }, 'parameters.json : 2.n : un nombre est attendu'],
    [{ 'measures.json': '{' }, 'measures.json n’est pas du JSON'],
    [{ 'measures.json': '{"3":{"kind":"pond"}}' }, 'measures.json : 3.kind : une de ces valeurs'],
    [{ 'measures.json': '{"3":{"kind":"basin","soilMm":300}}' }, '3.soilMm : basin n’a pas ce réglage'],
    [
      { 'measures.json': '{"3":{"kind":"rain-garden","porosity":0.1}}' },
      'wiltingPoint < fieldCapacity < porosity',
    ],
    [{ 'measures.json': '{"3":{"kind":"basin","storageMm":"1,5"}}' }, '3.storageMm : un nombre est attendu'],
    [{ 'measures.json': '{"5":{"kind":"basin"}}' }, 'le code 5 ne peut être un ouvrage'],
    [{ 'measures.json': '{"3":{"kind":"basin","drainTo":"J-9"}}' }, 'absents du réseau : J-9 (code 3)'],
    [{ 'boundaries.geojson': '{"type":"Feature"}' }, 'features : une valeur est attendue'],
    [
      {
        'network.inp': FILES['network.inp'].replace(
          'C-2 J-2 OUT-1 40 0.013 0 0',
          'C-2 J-2 OUT-1 40 0.013 2 0',
        ),
      },
      'au-dessus du tampon',
    ],
    [
      { 'network.inp': FILES['network.inp'].replaceAll(' 2035', ' 9935') },
      'aucun regard ne tombe dans le bassin',
    ],
  ] as const)('a broken one is refused with what is wrong (%#)', async (changes, message) => {
    await expect(packageWith(changes)).rejects.toThrow(message)
    await expect(packageWith(changes)).rejects.toMatchObject({ code: 'catchment.invalid', status: 422 })
  })

  test('all that is wrong is told at once', async () => {
    const error = await packageWith({
      'luse.asc': 'nonsense',
      'gullies.csv': 'nothing',
      'mask-place.asc': null,
    }).catch((failure) => failure)
    expect(error.problems.length).toBeGreaterThanOrEqual(2)
  })

  test('NODATA inside is a warning that says where: water would leave there', async () => {
    const hole = (name: 'elevation.asc' | 'luse.asc', row: number, col: number) => {
      const lines = FILES[name].split('\n')
      const first = lines.findIndex((line) => /^-?\d/.test(line))
      const values = lines[first + row].split(' ')
      values[col] = '-9999'
      lines[first + row] = values.join(' ')
      return lines.join('\n')
    }
    const at = (row: number, col: number) => ({
      'elevation.asc': hole('elevation.asc', row, col),
      'luse.asc': hole('luse.asc', row, col),
    })
    const inside = await packageWith(at(5, 6))
    expect(inside.warnings.join()).toContain('1 maille(s) NODATA à l’intérieur du bassin')
    expect(inside.warnings.join()).toContain('ligne 6 de la grille, colonne 7. Leur donner une altitude')
    expect((await packageWith(at(5, 0))).warnings.join()).not.toContain('NODATA')
  })

  test('a rim far from the ground is a warning, not a refusal', async () => {
    const read = await packageWith({
      'network.inp': FILES['network.inp'].replace('J-1 28.2 1.5', 'J-1 28.2 3.5'),
    })
    expect(read.warnings.join()).toContain('J-1')
    expect(read.warnings.join()).toContain('avaloir plus bas que leur tampon')
  })
})
