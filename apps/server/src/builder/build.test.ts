import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeGeoTiff } from '@radx/formats/geotiff'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../cli/testing/run-command.ts'
import { writeLayers } from '../networks/api.ts'
import { LAMBERT93_PRJ, makeDbf, makePolygonShp, makeZip } from '../shapefiles/testing/make.ts'
import { type CatchmentPackage, readCatchmentPackage } from '../simulation/api.ts'
import { SMALL_CATCHMENT, writeSmallCatchment } from '../simulation/testing/small-catchment.ts'
import { layerText, NATURES, tile, writeSources } from './testing/derived-sources.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-build-'))
afterAll(() => rmSync(root, { recursive: true }))
const sources = join(root, 'sources')
const path = (name: string) => join(sources, name)
let given: CatchmentPackage
let recipe: Record<string, unknown>
beforeAll(async () => {
  given = await readCatchmentPackage(writeSmallCatchment(join(root, 'given')))
  recipe = writeSources(sources, given)
})

let count = 0
/** Writes a recipe with parts replaced (undefined leaves one out) and builds it. */
async function build(changes: Record<string, unknown> = {}, ...args: string[]) {
  const name = `r-${count++}`
  const file = path(`${name}.json`)
  writeFileSync(file, JSON.stringify({ ...recipe, ...changes }))
  const dir = join(root, name)
  const told = await runCommand('catchment', 'build', file, ...(args.length > 0 ? args : ['--out', dir]))
  return { ...told, dir, made: () => readCatchmentPackage(dir) }
}
const inpOnly = { sewer: { inp: 'reseau.inp' } }
const rasterLand = (map: unknown = 'same', file = 'sols.tif') => ({
  landUse: { permanentWaterCode: 6, layers: [{ kind: 'raster', file, map }] },
})

/** The whole of the plot. */
const PLOT = {
  type: 'Polygon',
  coordinates: [
    [
      [1000, 2000],
      [1120, 2000],
      [1120, 2080],
      [1000, 2080],
      [1000, 2000],
    ],
  ],
}

describe('radx catchment build', () => {
  test('makes the package again from tiles, polygons, pipes and manholes, and reports', async () => {
    const built = await build()
    expect(built).toMatchObject({ exit: 0, out: expect.any(String) })
    const made = await built.made()
    expect(made.elevation).toEqual(given.elevation)
    expect(made.landUse.data).toEqual(given.landUse.data)
    expect(made.network.nodes).toMatchObject(JSON.parse(JSON.stringify(given.network.nodes)))
    expect(made.network.links).toMatchObject(JSON.parse(JSON.stringify(given.network.links)))
    expect(made.masks).toEqual(given.masks)
    expect(readFileSync(join(built.dir, 'report.md'), 'utf8')).toContain('# Petit bassin (petit)')
    const report = JSON.parse(readFileSync(join(built.dir, 'report.json'), 'utf8'))
    expect(report.recipe.id).toBe('petit')
    expect(report.findings.length).toBeGreaterThan(5)
  })

  test('polygons come from a GeoPackage and from a zipped shapefile as well', async () => {
    const areas = JSON.parse(readFileSync(path('sols.geojson'), 'utf8')).features as {
      properties: { nature: string }
      geometry: { coordinates: [number, number][][] }
    }[]
    writeLayers(
      path('sols.gpkg'),
      ['autre', 'sols'].map((name) => ({
        name,
        title: name,
        geometry: 'POLYGON' as const,
        columns: { nature: 'TEXT' as const },
        rows: areas.map(({ properties, geometry }) => ({
          places: geometry.coordinates[0],
          values: [name === 'sols' ? properties.nature : 'Bois'],
        })),
      })),
      -1,
    )
    const map = Object.fromEntries(Object.entries(NATURES).map(([code, name]) => [name, Number(code)]))
    const layer = { kind: 'polygons', column: 'nature', map }
    const land = (more: object) => ({ landUse: { permanentWaterCode: 6, layers: [{ ...layer, ...more }] } })
    expect((await build(land({ file: 'sols.gpkg', crs: 'EPSG:2154' }))).err).toContain(
      'sols.gpkg a 2 couches : ajoutez "layer" avec l’une de ces valeurs : autre, sols',
    )
    expect((await build(land({ file: 'sols.gpkg', layer: 'sols' }))).err).toContain(
      'sols.gpkg ne dit pas son système de coordonnées',
    )
    const packed = await build(land({ file: 'sols.gpkg', layer: 'sols', crs: 'EPSG:2154' }))
    expect((await packed.made()).landUse.data).toEqual(given.landUse.data)
    // One pond, over meadows, as a shapefile with a system of its own spelling.
    const pond: [number, number][] = [
      [1100, 2000],
      [1100, 2010],
      [1120, 2010],
      [1120, 2000],
      [1100, 2000],
    ]
    writeFileSync(
      path('mare.zip'),
      makeZip({
        'mare.shp': makePolygonShp([pond]),
        'mare.dbf': makeDbf(['NATURE'], [['Mare']]),
        'mare.prj': LAMBERT93_PRJ,
      }),
    )
    const shape = await build({
      landUse: {
        default: 3,
        permanentWaterCode: 6,
        layers: [{ kind: 'polygons', file: 'mare.zip', column: 'NATURE', map: { Mare: 6 } }],
      },
      gullies: undefined,
    })
    const codes = [...(await shape.made()).landUse.data]
    expect(codes.filter((code) => code === 6)).toHaveLength(2)
    expect(codes.lastIndexOf(6)).toBe(95)
  })

  test('a layer that gives no cell its code is told with the system that it was read in', async () => {
    const far = PLOT.coordinates[0].map(([x, y]) => [x + 5000, y])
    const feature = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [far] } }
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } }
    writeFileSync(
      path('loin.geojson'),
      JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] }),
    )
    const layer = { kind: 'polygons', file: 'loin.geojson', code: 2 }
    const built = await build({
      landUse: { default: 3, permanentWaterCode: 6, layers: [layer] },
      gullies: undefined,
    })
    const { findings } = JSON.parse(readFileSync(join(built.dir, 'report.json'), 'utf8'))
    expect(findings).toContainEqual({
      step: 'landUse',
      kind: 'left',
      text: expect.stringMatching(/^loin\.geojson ne donne son code à aucune maille.*EPSG:2154/),
    })
  })

  test('roads and buildings are burnt in, in their order', async () => {
    const line = {
      type: 'Feature',
      properties: { l: '12,5' },
      geometry: {
        type: 'LineString',
        coordinates: [
          [1000, 2035],
          [1120, 2035],
        ],
      },
    }
    const house = (west: number, width: number) => ({
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, 2040],
            [west + width, 2040],
            [west + width, 2050],
            [west, 2050],
            [west, 2040],
          ],
        ],
      },
    })
    const built = await build({
      landUse: {
        layers: [
          { kind: 'lines', features: [line], widthColumn: 'l' },
          // Two halves of one cell make a house together, a lone third does not.
          { kind: 'buildings', features: [house(1050, 3), house(1056, 3), house(1080, 3)] },
        ],
      },
      ...inpOnly,
    })
    const { landUse } = await built.made()
    const row = (n: number) => [...landUse.data.subarray(12 * n, 12 * n + 12)]
    expect(row(4)).toEqual([2, 2, 2, 5, 2, 2, 2, 2, 5, 2, 2, 2])
    expect(row(3)).toEqual([3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 3, 3])
    expect(row(5)).toEqual(new Array(12).fill(3))
  })

  test('a network of lines alone gets nodes, rims, inverts and an outfall, all of them told', async () => {
    const lines = [
      [
        [1005, 2035],
        [1045, 2035],
      ],
      [
        [1045.3, 2035],
        [1085, 2035],
      ],
      [
        [1085, 2035],
        [1115, 2035],
      ],
    ].map((coordinates, k) => ({
      type: 'Feature',
      properties: { d: ['300', '0,4', null][k] === '0,4' ? '400' : ['300', '', null][k] },
      geometry: { type: 'LineString', coordinates },
    }))
    const built = await build({
      sewer: { pipes: { features: lines, columns: { diameter: 'd' } }, diameterUnit: 'mm', diameter: 0.5 },
      gullies: { automatic: { spacing: 30, reach: 40 } },
      ...rasterLand({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 2, 6: 6 }),
    })
    expect(built.err).not.toContain('refus')
    const { network, gullies, landUse } = await built.made()
    expect(network.nodes.map(({ name, kind }) => [name, kind])).toEqual([
      ['N-1', 'junction'],
      ['N-2', 'junction'],
      ['N-3', 'junction'],
      ['N-4', 'outfall'],
    ])
    const text = readFileSync(join(built.dir, 'report.md'), 'utf8')
    expect(text).toContain('4 nœuds faits aux bouts de conduites')
    expect(text).toContain('1 bout de conduite porté au nœud voisin, 0,30 m au plus')
    expect(text).toContain('1 exutoire aux nœuds')
    expect(text).toContain('1 conduite sans diamètre : 0,5 m')
    expect(text).toContain('3 regards sans cote de tampon : celle du terrain')
    expect(gullies.length).toBeGreaterThan(2)
    for (const { cell } of gullies) expect(landUse.data[cell]).toBe(5)
    expect([...landUse.data].filter((code) => code === 5)).toHaveLength(gullies.length)
  })

  test('holes, bridges and sinks are treated as told, and listed', async () => {
    const z = Float64Array.from(given.elevation.data)
    // A dam across the street, a hole in the meadow and a sink in the north.
    for (let row = 0; row < 8; row++) z[row * 12 + 6] += 3
    z[6 * 12 + 3] = Number.NaN
    z[2 * 12 + 3] -= 2
    writeFileSync(path('barrage.tif'), tile({ ...given.elevation, data: z }, [0, 0, 12, 8], 2154))
    const terrain = (more: object) => ({ terrain: { files: ['barrage.tif'], ...more } })
    const plain = await build(terrain({}))
    expect(plain.exit).toBe(0)
    expect(readFileSync(join(plain.dir, 'report.md'), 'utf8')).toMatch(
      /1 trou laissé[^\n]*\n[^\n]*\(1035\.0 ; 2015\.0\)/,
    )
    const treated = await build(
      terrain({
        fillHoles: 4,
        bridges: {
          features: [
            {
              type: 'Feature',
              properties: {},
              geometry: {
                type: 'LineString',
                coordinates: [
                  [1055, 2035],
                  [1075, 2035],
                ],
              },
            },
          ],
        },
        pits: {
          do: 'list',
          byHand: [
            { at: [1035, 2055], do: 'fill' },
            { at: [1005, 2005], do: 'fill' },
          ],
        },
      }),
    )
    const { elevation } = await treated.made()
    expect(elevation.data[4 * 12 + 6]).toBeLessThan(30)
    expect(elevation.data[6 * 12 + 3]).toBeGreaterThan(29)
    expect(elevation.data[2 * 12 + 3]).toBeGreaterThan(29)
    const text = readFileSync(join(treated.dir, 'report.md'), 'utf8')
    for (const words of [
      '1 pont ou remblai percé',
      '1 trou comblé',
      '1 cuvette comblée',
      'Pas de cuvette en (1005 ; 2005)',
    ])
      expect(text).toContain(words)
  })

  test('an existing folder stays unless --replace says otherwise, and one that is no package stays in any case', async () => {
    const built = await build()
    const before = readFileSync(join(built.dir, 'catchment.json'), 'utf8')
    const again = await build({ display: 'Autre' }, '--out', built.dir)
    expect(again).toMatchObject({
      exit: 1,
      err: expect.stringContaining('existe déjà. Donnez un autre dossier, ou --replace'),
    })
    expect(readFileSync(join(built.dir, 'catchment.json'), 'utf8')).toBe(before)
    expect(await build({ display: 'Autre' }, '--out', built.dir, '--replace')).toMatchObject({ exit: 0 })
    expect(readFileSync(join(built.dir, 'catchment.json'), 'utf8')).toContain('Autre')
    const wrong = await build({ terrain: { files: ['absent.tif'] } }, '--out', built.dir, '--replace')
    expect(wrong.exit).toBe(1)
    expect(readFileSync(join(built.dir, 'catchment.json'), 'utf8')).toContain('Autre')
    expect((await build({}, '--out', sources, '--replace')).err).toContain('n’est pas un bassin versant')
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('--check writes nothing; without --out or with both the command line is refused', async () => {
    const before = readdirSync(root)
    const checked = await build({}, '--check')
    expect(checked).toMatchObject({ exit: 0, out: expect.stringContaining('la recette convient') })
    expect((await build({}, '--check', '--out', join(root, 'x'))).exit).toBe(64)
    expect(readdirSync(root)).toEqual(before)
  })

  test('all that is wrong is told at once', async () => {
    const { exit, err, dir } = await build({
      terrain: { files: ['mnt-0.tif', 'absent.tif', { file: 'mnt-1.tif', crs: 'EPSG:9999' }] },
      landUse: { layers: [{ kind: 'polygons', file: 'sols.geojson', column: 'NATURE', map: {} }] },
      sewer: { inp: 'absent.inp' },
      points: { file: 'absent.csv' },
    })
    expect(exit).toBe(1)
    for (const words of [
      'absent.tif n’existe pas',
      'EPSG:9999 n’est pas pris en charge',
      'pas de colonne « NATURE » ; elle a : nature',
      'absent.inp n’existe pas',
      'absent.csv n’existe pas',
    ])
      expect(err).toContain(words)
    expect(existsSync(dir)).toBe(false)
  })
})

const inp = (change: (text: string) => string) => {
  const name = `n-${count++}.inp`
  writeFileSync(path(name), change(SMALL_CATCHMENT['network.inp']))
  return name
}
/** A GeoTIFF whose first row lies in the south, as its scale says. */
const southUp = () => {
  const { data, ncols, nrows, xll, yll, cellSize } = given.elevation
  const values = Float32Array.from(
    data,
    (_, k) => data[(nrows - 1 - Math.floor(k / ncols)) * ncols + (k % ncols)],
  )
  return writeGeoTiff({
    ...{ ncols, nrows, values, left: xll, top: yll, cellWidth: cellSize, cellHeight: -cellSize },
    crs: { kind: 'projected', epsg: 2154 },
  })
}

/** Heads a TIFF that says it is so large, and has nothing to read. */
function hugeTiff(): Buffer {
  const bytes = Buffer.from(tile(given.elevation, [0, 0, 12, 8], 2154))
  const entries = bytes.readUInt16LE(8)
  for (let k = 0; k < entries; k++) {
    const at = 10 + 12 * k
    if ([256, 257].includes(bytes.readUInt16LE(at))) bytes.writeUInt32LE(40_000, at + 8)
  }
  return bytes
}

describe('what cannot be taken is answered in French with what to do, and nothing is left behind', () => {
  const refusals: [string, () => Record<string, unknown>, string[]][] = [
    [
      'a wrong system',
      () => ({
        terrain: { files: ['mnt-0.tif'], crs: 'EPSG:32631' },
        outline: { bounds: [1000, 2000, 1120, 2080] },
      }),
      ['aucune altitude dans le contour', 'Vérifiez "crs" du terrain'],
    ],
    ['degrees as the plane', () => ({ crs: 'EPSG:4326' }), ['Lambert-93']],
    [
      'a layer in metres that says degrees',
      () => {
        writeFileSync(
          path('faux.geojson'),
          readFileSync(path('sols.geojson'), 'utf8')
            .replace(/"crs":\{.*?\}\},/, '')
            .replaceAll(/\[(1\d{3}),(2\d{3})\]/g, '[67$1,682$2]'),
        )
        return { landUse: { layers: [{ kind: 'polygons', file: 'faux.geojson', code: 3 }] } }
      },
      ['n’est aucun lieu en EPSG:4326', 'donnez le bon par "crs"'],
    ],
    [
      'terrain upside down',
      () => {
        writeFileSync(path('sud.tif'), southUp())
        return { terrain: { files: ['sud.tif'] } }
      },
      ['sud.tif est à l’envers', '"southUp": true'],
    ],
    [
      'a raster of 40,000 x 40,000',
      () => {
        writeFileSync(path('grand.tif'), hugeTiff())
        return { terrain: { files: ['grand.tif'] } }
      },
      ['grand.tif a 40\u202f000 x 40\u202f000 mailles', 'il n’a pas été lu', 'gdal_translate -projwin'],
    ],
    [
      'a raster that is cut off, and a folder',
      () => {
        writeFileSync(path('coupe.tif'), tile(given.elevation, [0, 0, 12, 8], 2154).subarray(0, 400))
        return { terrain: { files: ['coupe.tif'] }, points: { file: '.' } }
      },
      ['coupe.tif est tronqué : il pèse 400 octets', '. n’est pas un fichier'],
    ],
    [
      'gully cells without gullies',
      () => ({ gullies: undefined }),
      ['2 maille(s) de code 5 dans luse.asc n’ont pas d’avaloir', '/r-'],
    ],
    [
      'a grid of as many cells in text',
      () => {
        writeFileSync(
          path('grand.asc'),
          'ncols 40000\nnrows 40000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n',
        )
        return { terrain: { files: ['grand.asc'] } }
      },
      ['grand.asc a 40\u202f000 x 40\u202f000 mailles'],
    ],
    [
      'an outline of too many cells',
      () => ({ cellSize: 0.1, outline: { bounds: [0, 0, 50_000, 50_000] } }),
      ['500\u202f000 x 500\u202f000 mailles', '"cellSize"', '25,1 m'],
    ],
    [
      'polygons that cross themselves',
      () => ({
        landUse: {
          layers: [
            {
              kind: 'polygons',
              code: 3,
              features: [
                {
                  type: 'Feature',
                  properties: {},
                  geometry: {
                    type: 'Polygon',
                    coordinates: [
                      [
                        [1000, 2000],
                        [1100, 2050],
                        [1100, 2000],
                        [1000, 2050],
                        [1000, 2000],
                      ],
                    ],
                  },
                },
              ],
            },
          ],
        },
      }),
      ['1 polygone se croise : n° 1 en (1050.0 ; 2025.0)', 'Réparer les géométries', '"repair": true'],
    ],
    [
      'an .inp in local coordinates',
      () => ({
        outline: { bounds: [672_000, 6_824_000, 672_120, 6_824_080] },
        terrain: { files: ['loin.asc'] },
        sewer: { inp: inp((text) => text) },
      }),
      ['coordonnées locales', '"shift"', '[672000, 6824000]'],
    ],
    [
      'a network outside the grid',
      () => ({ sewer: { inp: inp((text) => text.replaceAll(/ (1\d{3}) (2\d{3})$/gm, ' 65$1 686$2')) } }),
      ['le réseau est hors de la grille', 'Vérifiez le système de coordonnées du réseau'],
    ],
    [
      'an .inp without places',
      () => ({ sewer: { inp: inp((text) => text.slice(0, text.indexOf('[COORDINATES]'))) } }),
      ['n’a pas de [COORDINATES]'],
    ],
    [
      'an .inp with decimal commas',
      () => ({ sewer: { inp: inp((text) => text.replace('28.2 1.5', '28,2 1,5')) } }),
      ['point décimal', 'remplacez les virgules'],
    ],
    [
      'columns that hold words',
      () => ({
        sewer: {
          pipes: {
            features: [
              {
                type: 'Feature',
                properties: { d: 'DN 300' },
                geometry: {
                  type: 'LineString',
                  coordinates: [
                    [1005, 2035],
                    [1045, 2035],
                  ],
                },
              },
            ],
            columns: { diameter: 'd' },
          },
        },
      }),
      ['« d » : « DN 300 »', 'une virgule décimale est admise'],
    ],
    [
      'a land-use value without a code',
      () => rasterLand({ 2: 2, 3: 3, 4: 4, 5: 5 }),
      ['valeurs sans code : 6 (2 mailles)', '"map"'],
    ],
    [
      'gullies that name no manhole',
      () => {
        writeFileSync(path('a.csv'), 'gully,x,y,junction\nG-1,1035,2035,J-9\n')
        return { gullies: { file: 'a.csv' } }
      },
      ['G-1 (J-9)'],
    ],
    [
      'words that the recipe does not have',
      () => ({ terain: {}, cellSize: '10' }),
      ['terain', 'cellSize : un nombre est attendu'],
    ],
  ]
  beforeAll(() => {
    const header = 'ncols 12\nnrows 8\nxllcorner 672000\nyllcorner 6824000\ncellsize 10\n'
    writeFileSync(path('loin.asc'), header + `${new Array(12).fill('30').join(' ')}\n`.repeat(8))
  })

  test.each(refusals)('%s', async (_, changes, words) => {
    const before = readdirSync(root)
    const { exit, err } = await build(changes())
    expect(err).toContain(words[0])
    for (const word of words) expect(err).toContain(word)
    expect(err).not.toContain('partiel')
    expect(exit).toBe(1)
    expect(readdirSync(root)).toEqual(before)
  })

  test('mixed line ends and decimal commas of a grid and of a table are read, and said', async () => {
    const lines = readFileSync(join(root, 'given', 'elevation.asc'), 'utf8')
      .replaceAll('.', ',')
      .split('\n')
    writeFileSync(path('virgules.asc'), lines.map((line, k) => line + ['\n', '\r\n', '\r'][k % 3]).join(''))
    writeFileSync(path('virgules.csv'), 'gully;x;y;junction\r\nG-1;1035,0;2035;J-1\rG-2;1085;2035,5;J-2\n')
    const built = await build({
      terrain: { files: ['virgules.asc'] },
      gullies: { file: 'virgules.csv' },
      sewer: { inp: inp((text) => text.replaceAll('\n', '\r\n').replace('\r\n', '\r')) },
    })
    expect(built.exit).toBe(0)
    const made = await built.made()
    expect(made.elevation.data).toEqual(given.elevation.data)
    expect(made.gullies.map(({ cell }) => cell)).toEqual([51, 56])
    const text = readFileSync(join(built.dir, 'report.md'), 'utf8')
    expect(text).toMatch(/virgules\.asc : \d+ virgules décimales lues comme des points/)
    expect(text).toContain('virgules.csv : 2 virgules décimales lues')
  })

  test('a terrain that is told to be upside down is turned', async () => {
    writeFileSync(path('sud.tif'), southUp())
    const built = await build({ terrain: { files: [{ file: 'sud.tif', southUp: true }] } })
    expect((await built.made()).elevation.data).toEqual(given.elevation.data)
  })

  test('an .inp in local coordinates is placed by what is added to them', async () => {
    const local = inp((text) =>
      text.replaceAll(/ (1\d{3}) (2\d{3})$/gm, (_, x, y) => ` ${x - 1000} ${y - 2000}`),
    )
    const built = await build({ sewer: { inp: local, shift: [1000, 2000] } })
    const made = await built.made()
    expect(made.network.nodes.map(({ x, y }) => [x, y])).toEqual(
      given.network.nodes.map(({ x, y }) => [x, y]),
    )
    expect(readFileSync(join(built.dir, 'report.md'), 'utf8')).toContain(
      'positions décalées de (1000 ; 2000)',
    )
  })

  test('sources in another system come to the same cells', async () => {
    const fine = await build({
      outline: {
        features: [
          {
            type: 'Feature',
            properties: {},
            geometry: PLOT,
          },
        ],
      },
      landUse: {
        permanentWaterCode: 6,
        layers: [
          {
            kind: 'polygons',
            file: 'sols.geojson',
            column: 'nature',
            map: { Bois: 1, Route: 2, Herbe: 3, Bâti: 4, Bouche: 5, Eau: 6 },
          },
        ],
      },
    })
    const about = JSON.parse(readFileSync(join(fine.dir, 'catchment.json'), 'utf8'))
    expect(about.boundary.type).toBe('Polygon')
    expect((await fine.made()).landUse.data).toEqual(given.landUse.data)
    expect(layerText('EPSG:2154', [])).toContain('EPSG::2154')
  })
})

describe('the outline', () => {
  const geometry = PLOT
  const feature = { type: 'Feature', properties: {}, geometry }
  const collection = { type: 'FeatureCollection', name: 'contour', features: [feature] }
  const named = { crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } } }
  const inFile = (json: object) => {
    const file = `contour-${count++}.geojson`
    writeFileSync(path(file), JSON.stringify(json))
    return { file }
  }

  test.each<[string, () => object]>([
    ['a collection', () => collection],
    ['a collection that names its system', () => ({ ...collection, ...named })],
    ['a feature', () => feature],
    ['a geometry', () => geometry],
    ['features: a list', () => ({ features: [feature] })],
    ['features: a collection', () => ({ features: collection })],
    ['features: a geometry', () => ({ features: geometry })],
    ['a file of a collection', () => inFile({ ...collection, ...named })],
    ['a file of a feature', () => ({ ...inFile(feature), crs: 'EPSG:2154' })],
    ['a file of a geometry', () => ({ ...inFile(geometry), crs: 'EPSG:2154' })],
    [
      'a file whose unknown system the recipe corrects',
      () => ({ ...inFile({ ...collection, crs: { properties: { name: 'local' } } }), crs: 'EPSG:2154' }),
    ],
  ])('as %s makes the same grid', async (_, outline) => {
    const built = await build({ outline: outline() })
    expect(built.err).not.toContain('refus')
    const made = await built.made()
    expect(made.elevation).toEqual(given.elevation)
  })

  test('as GeoJSON takes its own words beside it', async () => {
    const built = await build({ outline: { ...feature, margin: 10 } }, '--check')
    expect(built.err).toContain('grille : 140 mailles')
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'is a line',
      {
        outline: {
          type: 'LineString',
          coordinates: [
            [1000, 2000],
            [1120, 2080],
          ],
        },
      },
      'des polygones',
    ],
    ['is no GeoJSON', { outline: { type: 'Topology', objects: {} } }, 'n’est pas du GeoJSON'],
    [
      'crosses itself',
      {
        outline: {
          type: 'Polygon',
          coordinates: [
            [
              [1000, 2000],
              [1120, 2080],
              [1120, 2000],
              [1000, 2080],
              [1000, 2000],
            ],
          ],
        },
      },
      '"repair": true',
    ],
    [
      'has a place that is no number',
      { outline: { type: 'Polygon', coordinates: [[['a', 1]]] } },
      'est illisible',
    ],
    ['is empty', { outline: { type: 'FeatureCollection', features: [] } }, 'n’a aucun élément'],
    [
      'lies off the terrain',
      { outline: { bounds: [9000, 9000, 9120, 9080] } },
      'aucune altitude dans le contour',
    ],
    ['has cells below zero', { cellSize: -10 }, 'cellSize'],
    [
      'is in an unknown system',
      { outline: { ...geometry, crs: 'EPSG:9999' } },
      'EPSG:9999 n’est pas pris en charge',
    ],
    ['is a file of another kind', { outline: { file: 'mnt-0.tif' } }, 'n’est pas une couche lisible'],
    ['has an edge without end', { outline: { bounds: [0, 0, 1e300, 1e300] } }, 'millions acceptés'],
  ])('that %s is refused in words', async (_, changes, words) => {
    const { exit, err } = await build(changes)
    expect(exit).toBe(1)
    expect(err).toContain(words)
  })
})
