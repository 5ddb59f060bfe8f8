import { FormatError } from '@radx/contracts/errors'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { Boundary, BoundaryKind, TimeSeries } from '@radx/hydrology/surface/boundaries'
import { z } from 'zod'
import { describeIssue } from '../../config/issue.ts'
import { coverOf } from './boundary-cells.ts'
import { numberOf, readTable } from './table.ts'

const KINDS = ['level', 'discharge', 'normal', 'critical', 'closed'] as const
const TIME_COLUMNS = ['time_s', 'time', 't']

const positionSchema = z.array(z.number()).min(2)
export const geometrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: positionSchema }),
  z.object({ type: z.literal('MultiPoint'), coordinates: z.array(positionSchema) }),
  z.object({ type: z.literal('LineString'), coordinates: z.array(positionSchema) }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(z.array(positionSchema)) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(positionSchema)) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(z.array(positionSchema))) }),
])
export type BoundaryGeometry = z.infer<typeof geometrySchema>

const collectionSchema = z.looseObject({
  features: z.array(
    z.looseObject({
      properties: z.looseObject({
        name: z.union([z.string().min(1), z.number()]).transform(String),
        kind: z.string().optional(),
        type: z.string().optional(),
        value: z.number().optional(),
        slope: z.number().optional(),
      }),
      geometry: geometrySchema,
    }),
  ),
})

/** Boundaries of a package, and what about them is worth a word. */
export interface PackageBoundaries {
  boundaries: Boundary[]
  warnings: string[]
}

/**
 * Reads `boundaries.geojson`, in the coordinates of the grid or in longitude and latitude, and the values over time of
 * `boundaries.csv`: columns `time_s` and one a name, or `name`, `time_s`, `value` (and perhaps `kind`). Features of one
 * name are one boundary.
 *
 * @param csv null when there is no such file: values then stand in the property `value`
 * @param toGrid turns longitude and latitude into coordinates of the grid
 * @throws FormatError `boundaries.*` with what is wrong
 */
export function readBoundaries(
  text: string,
  csv: string | null,
  elevation: EsriGrid,
  toGrid: (lng: number, lat: number) => [number, number],
): PackageBoundaries {
  const values = csv === null ? new Map<string, Values>() : readValues(csv)
  const byName = new Map<string, Boundary>()
  for (const { properties, geometry } of parseCollection(text).features) {
    const { name, value } = properties
    const found = values.get(name)
    const how = kindOf(name, properties.kind ?? found?.kind ?? properties.type, properties.slope)
    const { across, ...cover } = coverOf(geometry, elevation, toGrid)
    const anywhere = how.kind === 'discharge' || how.kind === 'level'
    if (cover.faces.length === 0 && !anywhere) cover.faces = across
    if (cover.faces.length + cover.cells.length === 0)
      throw refusal(
        `la limite « ${name} » ne touche aucune maille de la grille. La placer sur le bord du modèle ou à l’intérieur, dans les coordonnées de la grille ou en longitude et latitude.`,
      )
    // Away from the edge only water that comes or goes, and a level, mean anything.
    if (cover.faces.length === 0 && !anywhere)
      throw refusal(
        `la limite « ${name} » (${how.kind}) ne touche pas le bord du modèle. La placer sur le bord ; à l’intérieur seuls discharge et level ont un sens.`,
      )
    const series = found?.series ?? (value === undefined ? undefined : { timesS: [0], values: [value] })
    if ((how.kind === 'level' || how.kind === 'discharge') && !series)
      throw refusal(
        `la limite « ${name} » (${how.kind}) n’a pas de valeurs. Ajouter à boundaries.csv une colonne « ${name} », ou des lignes name,time_s,value.`,
      )
    const known = byName.get(name)
    if (known) {
      known.faces.push(...cover.faces)
      known.cells.push(...cover.cells)
    } else byName.set(name, { name, ...how, series, ...cover })
  }
  const stray = [...values.keys()].filter((name) => !byName.has(name))
  const warnings =
    stray.length > 0
      ? [`boundaries.csv : sans limite de ce nom dans boundaries.geojson : ${stray.join(', ')}.`]
      : []
  const boundaries = [...byName.values()]
  return { boundaries, warnings: [...warnings, ...shared(boundaries)] }
}

/** Boundaries that lie on one another: of a discharge and a level both hold, of others the last one alone. */
function shared(boundaries: readonly Boundary[]): string[] {
  const at = new Map<string, Boundary>()
  const told = new Set<string>()
  for (const boundary of boundaries)
    for (const { cell, side } of boundary.faces) {
      const before = at.get(`${cell}:${side}`)
      at.set(`${cell}:${side}`, boundary)
      if (!before || before === boundary) continue
      const kinds = [before.kind, boundary.kind]
      if (kinds.includes('discharge') && kinds.includes('level')) continue
      told.add(
        `boundaries.geojson : les limites « ${before.name} » et « ${boundary.name} » se recouvrent ; là, ${kinds[0] === 'discharge' ? `« ${before.name} »` : `« ${boundary.name} »`} l’emporte.`,
      )
    }
  return [...told]
}

const refusal = (message: string) => new FormatError('boundaries.feature', `boundaries.geojson : ${message}`)

function parseCollection(text: string): z.infer<typeof collectionSchema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw refusal(`ce n’est pas du JSON : ${(error as Error).message}`)
  }
  const parsed = collectionSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const { field, message } = describeIssue(parsed.error.issues[0])
  throw refusal(
    `${field || 'racine'} : ${message}. Il faut une FeatureCollection dont chaque objet a les propriétés name et kind.`,
  )
}

function kindOf(
  name: string,
  text: string | undefined,
  slopeProperty?: number,
): { kind: BoundaryKind; slope?: number } {
  const [word, number] = (text ?? '').trim().split(':')
  const kind = KINDS.find((known) => known === word.trim().toLowerCase())
  if (!kind)
    throw refusal(
      `la limite « ${name} » est du genre « ${text ?? ''} » ; les genres connus : level, discharge, normal:PENTE, critical, closed.`,
    )
  if (kind !== 'normal') return { kind }
  const slope = number === undefined ? slopeProperty : Number(number)
  if (slope === undefined || !(slope > 0 && slope <= 1))
    throw refusal(`la limite « ${name} » : normal demande une pente entre 0 et 1, par exemple normal:0.001.`)
  return { kind, slope }
}

interface Values {
  series: TimeSeries
  kind?: string
}

/** Values over time by name. */
function readValues(text: string): Map<string, Values> {
  const file = 'boundaries.csv'
  const { header, rows } = readTable(text, file)
  const timeColumn = header.find((name) => TIME_COLUMNS.includes(name.toLowerCase()))
  if (timeColumn === undefined)
    throw new FormatError(
      'boundaries.header',
      `${file}, ligne 1 : il manque la colonne time_s. L’en-tête attendu est time_s et un nom de limite par colonne, ou name,time_s,value.`,
    )
  const lower = header.map((name) => name.toLowerCase())
  const long = lower.includes('name') && lower.includes('value')
  const found = new Map<string, { timesS: number[]; values: number[]; kind?: string }>()
  const add = (name: string, timeS: number, value: number, line: number) => {
    const entry = found.get(name) ?? { timesS: [], values: [] }
    found.set(name, entry)
    if (entry.timesS.length > 0 && timeS <= entry.timesS[entry.timesS.length - 1])
      throw new FormatError(
        'boundaries.order',
        `${file}, ligne ${line} : les temps de « ${name} » ne vont pas en croissant. Trier les lignes et ne garder qu’une valeur par instant.`,
      )
    entry.timesS.push(timeS)
    entry.values.push(value)
    return entry
  }
  for (const row of rows) {
    const timeS = numberOf(row, timeColumn, file)
    if (long) {
      const entry = add(row.cell('name'), timeS, numberOf(row, 'value', file), row.line)
      entry.kind = row.cell('kind') || entry.kind
      continue
    }
    // An empty cell is between the values of its column.
    for (const name of header)
      if (name !== timeColumn && row.cell(name) !== '') add(name, timeS, numberOf(row, name, file), row.line)
  }
  return new Map(
    [...found].map(([name, { timesS, values, kind }]) => [name, { series: { timesS, values }, kind }]),
  )
}
