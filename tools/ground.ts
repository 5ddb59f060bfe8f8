import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PMTiles, type Source } from 'pmtiles'
import { arcsOf, encodeLine, generalise, joinLines, type Line, lengthOf, smooth } from './ground/lines.ts'
import { type Feature, readTile } from './ground/vector-tile.ts'

/**
 * Makes the ground of the map that needs no network, site/ground.json: rivers, departments, main roads and towns.
 *
 *   npx node tools/ground.ts DATA
 *
 * DATA holds admin/ (departements and rivers as GeoJSON, IGN, Licence Ouverte) and basemap/ (vector tiles in the
 * OpenMapTiles schema, OpenStreetMap, ODbL). Coordinates are WGS84, generalised, written as encoded polylines.
 */

/** Degrees; about 110 m, 60 m and 160 m. */
const TOLERANCE = { department: 0.001, river: 0.0006, road: 0.0015 }
/** Pieces shorter than this are slips and bridges, degrees. */
const SHORTEST_ROAD = 0.003
const ROAD_ZOOM = 8
const PLACE_ZOOMS = [6, 7, 8, 9, 10]
const ROADS: Record<string, number> = { motorway: 1, trunk: 2, primary: 3 }
/** Rivers that are named and drawn wide. */
const GREAT_RIVERS = /SEINE|MARNE|OISE|YONNE|AISNE/
const ATTRIBUTION =
  'Fond : <a href="https://www.ign.fr/">IGN</a> (Licence Ouverte), © contributeurs <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> (ODbL), <a href="https://openmaptiles.org/">OpenMapTiles</a>'

interface Collection {
  features: {
    properties: Record<string, string>
    geometry: { type: string; coordinates: unknown }
  }[]
}

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Collection

async function departments(data: string): Promise<string[]> {
  const { features } = await readJson(join(data, 'admin/departements-ile-de-france.geojson'))
  const rings = features.flatMap(({ geometry: { type, coordinates } }) =>
    type === 'Polygon' ? (coordinates as Line[]) : (coordinates as Line[][]).flat(),
  )
  // What two departments share is drawn once.
  return arcsOf(rings).map((arc) => encodeLine(generalise(arc, TOLERANCE.department)))
}

async function rivers(data: string): Promise<{ name: string; great: boolean; line: string }[]> {
  const { features } = await readJson(join(data, 'admin/rivers_ign_idf.geojson'))
  const byName = Map.groupBy(features, ({ properties }) => properties.name)
  return [...byName].flatMap(([name, parts]) =>
    joinLines(parts.map(({ geometry }) => geometry.coordinates as Line)).map((line) => ({
      name: titled(name),
      great: GREAT_RIVERS.test(name),
      line: encodeLine(generalise(smooth(line), TOLERANCE.river)),
    })),
  )
}

const titled = (name: string) =>
  name
    .toLowerCase()
    .replace(/^(le |la |l')/, '')
    .replace(/(^|[ -])\p{L}/gu, (letter) => letter.toUpperCase())

async function tiles(archive: PMTiles, zoom: number, layer: string): Promise<Feature[]> {
  const { minLon, maxLon, minLat, maxLat } = await archive.getHeader()
  const x = (lng: number) => Math.floor(((lng + 180) / 360) * 2 ** zoom)
  const y = (lat: number) => {
    const sine = Math.sin((lat * Math.PI) / 180)
    return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom)
  }
  const found: Feature[] = []
  for (let column = x(minLon); column <= x(maxLon); column++)
    for (let row = y(maxLat); row <= y(minLat); row++) {
      const tile = await archive.getZxy(zoom, column, row)
      if (tile) found.push(...readTile(new Uint8Array(tile.data), layer, { zoom, column, row }))
    }
  return found
}

async function roads(archive: PMTiles): Promise<{ rank: number; line: string }[]> {
  const found = await tiles(archive, ROAD_ZOOM, 'transportation')
  return Object.entries(ROADS).flatMap(([name, rank]) =>
    joinLines(
      found.filter(({ tags }) => tags.class === name && tags.ramp !== 1).flatMap(({ lines }) => lines),
    )
      .filter((line) => lengthOf(line) > SHORTEST_ROAD)
      .map((line) => ({ rank, line: encodeLine(generalise(line, TOLERANCE.road)) })),
  )
}

const KINDS = ['city', 'town', 'village']

/** Places by the first zoom that has them: rank 1 stands in tiles of zoom 6, rank 5 in those of zoom 10. */
async function towns(archive: PMTiles) {
  const found = new Map<string, { name: string; at: [number, number]; rank: number; kind: number }>()
  const round = (value: number) => Math.round(value * 1e4) / 1e4
  for (const zoom of PLACE_ZOOMS)
    for (const { tags, lines } of await tiles(archive, zoom, 'place')) {
      const kind = KINDS.indexOf(String(tags.class))
      const name = String(tags['name:latin'] ?? '')
      if (kind < 0 || name === '' || found.has(name)) continue
      const [lng, lat] = lines[0][0]
      found.set(name, { name, at: [round(lng), round(lat)], rank: zoom - PLACE_ZOOMS[0] + 1, kind })
    }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank || a.kind - b.kind || a.name.localeCompare(b.name, 'fr'))
    .map(({ name, at, rank }) => ({ name, at, rank }))
}

/** A file read in parts. */
async function fileSource(path: string): Promise<Source> {
  const file = await open(path)
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const bytes = new Uint8Array(length)
      await file.read(bytes, 0, length, offset)
      return { data: bytes.buffer }
    },
  }
}

const [data] = process.argv.slice(2)
if (data === undefined) {
  console.error('usage: npx node tools/ground.ts DATA')
  process.exit(2)
}
const archive = new PMTiles(await fileSource(join(data, 'basemap/idf_z4-12.pmtiles')))
const ground = {
  attribution: ATTRIBUTION,
  departments: await departments(data),
  rivers: await rivers(data),
  roads: await roads(archive),
  towns: await towns(archive),
}
const text = `${JSON.stringify(ground)}\n`
const out = join(import.meta.dirname, '../site/ground.json')
await writeFile(out, text)
const count = (what: { length: number }) => what.length
console.log(
  `${out}: ${text.length} bytes, ${count(ground.rivers)} rivers, ${count(ground.departments)} borders, ${count(ground.roads)} roads, ${count(ground.towns)} towns`,
)
process.exit(0)
