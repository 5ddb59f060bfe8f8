import { z } from 'zod'
import { keyWords, list, longText, shortText } from './bounds.ts'

/**
 * The recipe of a catchment: what `radx catchment build` makes a package from, and what the builder's steps write. Paths are
 * relative to the recipe's file. Lengths are metres unless a field says otherwise.
 */

/** Cells that a catchment may have: as many as a run's maps can be sent as text. */
export const RECIPE_MAX_CELLS = 4_000_000

const crs = () => z.string().regex(/^EPSG:\d{4,6}$/, 'un code comme EPSG:2154 est attendu')
const code = () => z.int().min(1).max(9_999)
const metres = (most: number) => z.number().positive().max(most)
const place = () => z.tuple([z.number(), z.number()])
const scalar = () => z.union([shortText(), z.number()])
const column = () => shortText().min(1)

/** Places: a file (GeoJSON, GeoPackage, shapefile or its zip), or GeoJSON features in the recipe itself. */
const sourceFields = {
  file: shortText().min(1).optional(),
  /** GeoJSON features; in the recipe's system unless `crs` says otherwise. */
  features: list(z.unknown()).optional(),
  /** Table of a GeoPackage that has several. */
  layer: shortText().optional(),
  /** Wins over what the file says. */
  crs: crs().optional(),
  /** Only features whose columns have one of these values. */
  where: z.record(column(), z.union([scalar(), list(scalar())])).optional(),
  /** Takes polygons that cross themselves, by the even-odd rule, instead of refusing them. */
  repair: z.boolean().optional(),
}
const sourceSchema = z.strictObject(sourceFields)
export type RecipeSource = z.infer<typeof sourceSchema>

const rasterFields = {
  file: shortText().min(1),
  crs: crs().optional(),
  /** Value that stands for no data; wins over what the file says. */
  nodata: z.number().optional(),
  /** The first row lies in the south, as the file says. */
  southUp: z.boolean().optional(),
}

const outlineFields = z.strictObject({
  /** West, south, east, north. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  ...sourceFields,
  /** GeoJSON: a list of features, a FeatureCollection, a Feature or a geometry. */
  features: z.union([list(z.unknown()), z.looseObject({})]).optional(),
  /** Around an outline of polygons; their outside stays NODATA. */
  margin: z.number().min(0).max(100_000).optional(),
  /** Lower-left corner of the grid; without it the outline's, moved outwards to a multiple of the cell size. */
  corner: place().optional(),
})

/** An outline may be a GeoJSON object itself, with the outline's own words beside its members. */
function outlineOfGeoJson(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('type' in given)) return given
  const own: Record<string, unknown> = {}
  const geoJson: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    // GeoJSON has members of these two names as well.
    const isGeoJson = key === 'features' || (key === 'crs' && typeof value !== 'string')
    ;(key in outlineFields.shape && !isGeoJson ? own : geoJson)[key] = value
  }
  return { ...own, features: geoJson }
}
const outlineSchema = z.preprocess(outlineOfGeoJson, outlineFields)

const terrainFileSchema = z.strictObject({ ...rasterFields, unit: z.enum(['m', 'ft']).optional() })
const pitSchema = z.strictObject({
  /** A place inside the sink, in the recipe's system. */
  at: place(),
  do: z.enum(['fill', 'breach', 'keep']),
})
const terrainSchema = z.strictObject({
  files: list(z.union([shortText().min(1), terrainFileSchema])).min(1),
  crs: crs().optional(),
  nodata: z.number().optional(),
  unit: z.enum(['m', 'ft']).optional(),
  southUp: z.boolean().optional(),
  /** `auto`: mean of the area where the source is finer, bilinear where it is coarser, as it is where both are one grid. */
  resampling: z.enum(['auto', 'nearest']).default('auto'),
  /** Digits after the point in `elevation.asc`. */
  decimals: z.int().min(0).max(6).default(3),
  /** Holes of up to so many cells are filled. */
  fillHoles: z.int().min(0).max(100_000).default(0),
  /** Lines along which the ground is brought down to a line between their ends. */
  bridges: z.strictObject({ ...sourceFields, width: z.number().min(0).max(500).default(0) }).optional(),
  pits: z
    .strictObject({
      do: z.enum(['list', 'fill', 'breach']).default('list'),
      /** 4: across sides, as water flows in the model; 8: across corners too. */
      neighbours: z.union([z.literal(4), z.literal(8)]).default(4),
      /** Shallower sinks are left alone and not told. */
      leastDepth: z.number().min(0).max(100).default(0.01),
      /** The rule leaves deeper and larger ones as they are. */
      mostDepth: metres(1_000).optional(),
      mostArea: metres(1e12).optional(),
      /** A breach goes no deeper into the ground; else the sink is filled. */
      mostCut: metres(100).default(5),
      byHand: list(pitSchema).default([]),
    })
    .prefault({}),
})

const mapping = () => z.record(shortText(), code().nullable())
const landUseLayerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('raster'),
    ...rasterFields,
    /** Codes by value of the raster, null to leave what lies below; `same`: its values are codes; `oso`: classes of OSO. */
    map: z.union([z.enum(['same', 'oso']), mapping()]),
  }),
  z.strictObject({
    kind: z.literal('polygons'),
    ...sourceFields,
    /** One code for all, or a column and what its values mean (`*` for all others). */
    code: code().optional(),
    column: column().optional(),
    map: mapping().optional(),
    /** A cell is taken from this share of cover on; without it, where its middle lies inside. */
    share: z.number().min(0.01).max(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('lines'),
    ...sourceFields,
    code: code().default(2),
    width: metres(500).default(6),
    widthColumn: column().optional(),
  }),
  z.strictObject({
    kind: z.literal('buildings'),
    ...sourceFields,
    code: code().default(4),
    share: z.number().min(0.01).max(1).default(0.45),
  }),
])
export type LandUseLayer = z.infer<typeof landUseLayerSchema>

const landUseSchema = z.strictObject({
  /** Where no layer says anything. */
  default: code().default(3),
  permanentWaterCode: code().optional(),
  /** Each over those before it. */
  layers: list(landUseLayerSchema).default([]),
})

const pipeColumnsSchema = z.strictObject({
  name: column().optional(),
  from: column().optional(),
  to: column().optional(),
  diameter: column().optional(),
  width: column().optional(),
  shape: column().optional(),
  fromInvert: column().optional(),
  toInvert: column().optional(),
  /** Depths of the inverts under the rims of the ends. */
  fromDepth: column().optional(),
  toDepth: column().optional(),
  roughness: column().optional(),
  length: column().optional(),
})
const manholeColumnsSchema = z.strictObject({
  name: column().optional(),
  rim: column().optional(),
  invert: column().optional(),
  /** Of the invert under the rim. */
  depth: column().optional(),
  kind: column().optional(),
})
const sewerSchema = z.strictObject({
  /** A network as it is. */
  inp: shortText().min(1).optional(),
  /** System of the file's coordinates; the recipe's unless told. */
  crs: crs().optional(),
  /** Added to the file's coordinates. */
  shift: place().optional(),
  pipes: z.strictObject({ ...sourceFields, columns: pipeColumnsSchema }).optional(),
  manholes: z.strictObject({ ...sourceFields, columns: manholeColumnsSchema.prefault({}) }).optional(),
  /** Of the columns of diameters and widths. */
  diameterUnit: z.enum(['m', 'cm', 'mm']).default('m'),
  /** Of pipes that say none, m. */
  diameter: metres(20).default(0.3),
  roughness: z.number().min(0.001).max(1).default(0.013),
  shapes: z
    .record(
      shortText(),
      z.enum(['CIRCULAR', 'EGG', 'RECT_CLOSED', 'RECT_OPEN', 'HORIZ_ELLIPSE', 'VERT_ELLIPSE', 'ARCH']),
    )
    .default({}),
  /** An end belongs to the nearest manhole, or to the nearest other end, within this. */
  snap: metres(100).default(0.5),
  /** Earth over a pipe whose inverts nobody told. */
  cover: z.number().min(0).max(50).default(1),
  /** Values of `kind` that are outfalls, and nodes by name; without both, lowest ends that nothing leaves. */
  outfallKinds: list(shortText()).default([]),
  outfalls: list(shortText()).default([]),
  /** Words of [OPTIONS] of the network that is made. */
  options: z.record(shortText(), scalar()).default({}),
})

const gulliesSchema = z.strictObject({
  /** CSV with gully, junction and either row, col of this grid or x, y; or points with a column of the junction. */
  file: shortText().min(1).optional(),
  crs: crs().optional(),
  layer: shortText().optional(),
  /** Columns of points. */
  name: column().optional(),
  junction: column().optional(),
  automatic: z
    .strictObject({
      /** Between two gullies, at least. */
      spacing: metres(10_000).default(35),
      /** From a gully to its junction, at most. */
      reach: metres(10_000).default(60),
      /** Cells on which gullies may lie. */
      codes: list(code()).min(1).default([2]),
      width: metres(5).optional(),
      length: metres(5).optional(),
    })
    .optional(),
})

const fileOr = <T extends z.ZodType>(given: T) =>
  z.union([z.strictObject({ file: shortText().min(1) }), given])
const classParameters = z.strictObject({
  n: z.number().min(0).max(2).optional(),
  khMS: z.number().min(0).max(0.1).optional(),
  capshM: z.number().min(0).max(10).optional(),
  soilmd: z.number().min(0).max(1).optional(),
  interceptionM: z.number().min(0).max(0.1).optional(),
})

export const recipeSchema = z.strictObject({
  version: z.literal(1).default(1),
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, keyWords(64)),
  display: shortText().min(1),
  crs: crs(),
  cellSize: z.number().min(0.1).max(10_000),
  outline: outlineSchema,
  terrain: terrainSchema,
  landUse: landUseSchema.prefault({}),
  sewer: sewerSchema.optional(),
  gullies: gulliesSchema.optional(),
  edges: z.enum(['open', 'closed']).default('open'),
  boundaries: z.strictObject({ ...sourceFields, values: shortText().min(1).optional() }).optional(),
  points: fileOr(list(z.strictObject({ name: shortText().min(1), x: z.number(), y: z.number() }))).optional(),
  parameters: fileOr(
    z.record(z.string().regex(/^\d{1,4}$/, 'un code est attendu'), classParameters),
  ).optional(),
  streets: z
    .strictObject({ ...sourceFields, name: column().default('name'), width: column().optional() })
    .optional(),
  footprints: sourceSchema.optional(),
  /** Cells that may be edited: polygons, or a grid with 1. */
  caseStudies: list(
    z.strictObject({
      id: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, keyWords(64)),
      display: shortText().min(1),
      ...sourceFields,
    }),
  ).default([]),
  attribution: longText().optional(),
  statement: longText().optional(),
  synthetic: z.boolean().optional(),
})
export type Recipe = z.infer<typeof recipeSchema>
