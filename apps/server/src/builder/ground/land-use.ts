import { UNKNOWN_CODE } from '@radx/contracts/landuse'
import type { LandUseLayer } from '@radx/contracts/recipe'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Context } from '../context.ts'
import { SourceRefused, someOf } from '../findings.ts'
import { crsOf } from '../sources/crs.ts'
import { type Feature, type Layer, readLayer } from '../sources/layer.ts'
import { openRaster } from '../sources/raster.ts'
import { Columns } from '../sources/values.ts'
import { Mosaic } from '../terrain/mosaic.ts'
import { osoCodes } from './codes.ts'
import { cellsOfStrip } from './lines.ts'
import { cellsInside, coverageOf } from './rasterise.ts'

const OUTSIDE = -9999

export interface LandUse {
  codes: Int16Array
  /** 1: no layer says anything of the cell. */
  untouched: Uint8Array
}

/**
 * Codes of land use, `[row * ncols + col]`: the layers of the recipe in their order, each over those before it. What is wrong
 * with any of them is a problem.
 */
export async function landUseOf(context: Context): Promise<LandUse> {
  const { recipe, frame, findings } = context
  const codes = new Int16Array(frame.ncols * frame.nrows).fill(recipe.landUse.default)
  const untouched = new Uint8Array(codes.length).fill(1)
  for (const [k, layer] of recipe.landUse.layers.entries()) {
    const name = layer.file ?? `couche ${k + 1}`
    findings.say(`occupation des sols : ${name}`)
    let painted = 0
    const set = (cell: number, code: number) => {
      codes[cell] = code
      untouched[cell] = 0
      painted++
    }
    await findings.attempt(async () => {
      const crs =
        layer.kind === 'raster'
          ? await paintRaster(context, layer, set)
          : await paintLayer(context, layer, `landUse.layers[${k}]`, set)
      if (painted === 0)
        findings.tell(
          'landUse',
          'left',
          `${name} ne donne son code à aucune maille : ce qu’elle contient est hors du bassin (système lu : ${crs}), plus petit qu’une maille ou sans code.`,
        )
    })
  }
  return { codes, untouched }
}

/** Codes where there is ground, -9999 elsewhere, and how much there is of each. */
export function trimLandUse(
  { findings, frame, recipe }: Context,
  { codes, untouched }: LandUse,
  z: Float64Array,
): void {
  const counts = new Map<number, number>()
  let bare = 0
  for (let cell = 0; cell < codes.length; cell++) {
    if (Number.isNaN(z[cell])) codes[cell] = OUTSIDE
    else {
      counts.set(codes[cell], (counts.get(codes[cell]) ?? 0) + 1)
      bare += untouched[cell]
    }
  }
  if (bare > 0)
    findings.tell(
      'landUse',
      'assumed',
      `${countFr(bare, 'maille')} dont aucune couche ne dit rien : code ${recipe.landUse.default}.`,
    )
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const hectares = (count: number) => formatNumberFr((count * frame.cellSize ** 2) / 1e4, 1)
  const told = [...counts]
    .sort((a, b) => a[0] - b[0])
    .map(([code, count]) => `${code} : ${hectares(count)} ha (${formatNumberFr((100 * count) / all, 1)} %)`)
  findings.tell('landUse', 'figure', `Occupation des sols par code : ${told.join(' ; ')}.`)
}

type RasterLayer = Extract<LandUseLayer, { kind: 'raster' }>
type PlacedLayer = Exclude<LandUseLayer, { kind: 'raster' }>
type Paint = (cell: number, code: number) => void

/** @returns the system that it is read in */
async function paintRaster(context: Context, layer: RasterLayer, set: Paint): Promise<string> {
  const { recipe, folder, frame, crs, outside } = context
  const raster = await openRaster(folder.path(layer.file), layer.file, layer)
  try {
    const own = crsOf(layer.crs ?? raster.crs ?? recipe.crs)
    const { values } = await new Mosaic([{ raster, crs: own, factor: 1 }], frame, crs).values('nearest')
    const map = mapOf(layer.map, recipe.landUse.permanentWaterCode ?? UNKNOWN_CODE)
    const unknown = new Map<number, number>()
    for (let cell = 0; cell < values.length; cell++) {
      const value = values[cell]
      if (Number.isNaN(value)) continue
      const code = map === null ? value : map.get(value)
      if (code === null) continue
      if (code === undefined || (map === null && !(Number.isInteger(code) && code > 0 && code < 10_000))) {
        if (outside[cell] === 0) unknown.set(value, (unknown.get(value) ?? 0) + 1)
      } else set(cell, code)
    }
    if (unknown.size > 0)
      throw new SourceRefused(
        `${layer.file} : valeurs sans code : ${someOf([...unknown].sort((a, b) => b[1] - a[1]).map(([value, count]) => `${value} (${countFr(count, 'maille')})`))}. Ajoutez-les à "map" (null pour laisser la couche d’avant).`,
      )
    return own.name
  } finally {
    await raster.close()
  }
}

/** Code by value; null where values are codes themselves. */
function mapOf(map: RasterLayer['map'], waterCode: number): Map<number, number | null> | null {
  if (map === 'same') return null
  if (map === 'oso') return osoCodes(waterCode)
  return new Map(
    Object.entries(map).map(([value, code]) => {
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number))
        throw new SourceRefused(`landUse : « ${value} » de "map" n’est pas une valeur de raster.`)
      return [number, code]
    }),
  )
}

/** @returns the system that it is read in */
async function paintLayer(context: Context, layer: PlacedLayer, what: string, set: Paint): Promise<string> {
  const read = await readLayer(layer, what, layer.kind === 'lines' ? 'lines' : 'polygons', context)
  if (layer.kind === 'lines') paintLines(context, layer, read, set)
  else {
    const code = layer.kind === 'buildings' ? () => layer.code : codeOf(layer, read)
    // Several buildings share a cell: what they cover counts together.
    if (layer.share !== undefined) paintShares(context, layer.share, read, code, set)
    else paintInside(context, read, code, set)
  }
  return read.crs
}

function paintInside(
  { frame }: Context,
  read: Layer,
  codeOfFeature: (feature: Feature) => number | null,
  set: Paint,
): void {
  for (const feature of read.features) {
    const code = codeOfFeature(feature)
    if (code === null) continue
    for (const rings of feature.parts) cellsInside(rings, frame, (cell) => set(cell, code))
  }
}

type PolygonLayer = Extract<LandUseLayer, { kind: 'polygons' }>

/** What a feature's column means; what means nothing is refused with all its values. */
function codeOf(layer: PolygonLayer, read: Layer): (feature: Feature) => number | null {
  const { code, column, map } = layer
  if ((code === undefined) === (column === undefined) || (column !== undefined && map === undefined))
    throw new SourceRefused(`${read.name} : donnez "code", ou "column" avec "map".`)
  if (code !== undefined) return () => code
  const columns = new Columns(read)
  columns.need([column])
  const value = ({ properties }: Feature) => columns.text(properties, column) ?? ''
  const known = (text: string) => (Object.hasOwn(map!, text) ? map![text] : map!['*'])
  const unknown = new Map<string, number>()
  for (const feature of read.features)
    if (known(value(feature)) === undefined)
      unknown.set(value(feature), (unknown.get(value(feature)) ?? 0) + 1)
  if (unknown.size > 0)
    throw new SourceRefused(
      `${read.name} : valeurs de « ${column} » sans code : ${someOf(
        [...unknown].map(([text, count]) => `« ${text} » (${count})`),
        12,
      )}. Ajoutez-les à "map" (null pour laisser la couche d’avant, "*" pour toutes les autres).`,
    )
  return (feature) => known(value(feature)) ?? null
}

function paintShares(
  { frame }: Context,
  least: number,
  read: Layer,
  codeOfFeature: (feature: Feature) => number | null,
  set: Paint,
): void {
  const covered = new Map<number, Map<number, number>>()
  for (const feature of read.features) {
    const code = codeOfFeature(feature)
    if (code === null) continue
    const shares = covered.get(code) ?? new Map<number, number>()
    covered.set(code, shares)
    for (const rings of feature.parts)
      coverageOf(rings, frame, (cell, share) => shares.set(cell, (shares.get(cell) ?? 0) + share))
  }
  for (const [code, shares] of covered)
    for (const [cell, share] of shares) if (share >= least - 1e-9) set(cell, code)
}

function paintLines(
  { frame, findings }: Context,
  layer: Extract<LandUseLayer, { kind: 'lines' }>,
  read: Layer,
  set: Paint,
): void {
  const columns = new Columns(read)
  columns.need([layer.widthColumn])
  let usual = 0
  for (const { parts, properties } of read.features) {
    const own = columns.number(properties, layer.widthColumn)
    const width = own !== null && own > 0 ? Math.min(own, 500) : layer.width
    if (width !== own && layer.widthColumn !== undefined) usual++
    for (const [line] of parts) cellsOfStrip(line, width, frame, (cell) => set(cell, layer.code))
  }
  columns.assertNumbers()
  if (usual > 0)
    findings.tell(
      'landUse',
      'assumed',
      `${read.name} : ${countFr(usual, 'ligne')} sans largeur : ${formatNumberFr(layer.width, 1, true)} m.`,
    )
}

/** 1 where a cell is open water. */
export function waterOf({ recipe }: Context, codes: Int16Array): Uint8Array {
  const code = recipe.landUse.permanentWaterCode
  return Uint8Array.from(codes, (value) => (value === code ? 1 : 0))
}
