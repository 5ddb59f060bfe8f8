import { z } from 'zod'

/** A place on the globe, WGS84 degrees. */
export const latLngSchema = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
})
export type LatLng = z.infer<typeof latLngSchema>

/** Outer corners of a grid: upper-left (north-west) and lower-right (south-east). */
export const boundsSchema = z
  .object({ ul: latLngSchema, lr: latLngSchema })
  .refine((b) => b.ul.lat > b.lr.lat && b.ul.lng < b.lr.lng, {
    message: 'ul doit être le coin nord-ouest et lr le coin sud-est',
  })
export type Bounds = z.infer<typeof boundsSchema>

/** A radar product: a square grid of `steps` x `steps` cells inside `bounds`, row 0 north. */
export const siteProductSchema = z.object({
  shortName: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  longName: z.string().min(1),
  activeStatus: z.boolean(),
  bounds: boundsSchema,
  steps: z.int().min(8).max(2000),
  /** Expected time between two frames in seconds. */
  frameSeconds: z.number().positive().default(206),
})
export type SiteProduct = z.infer<typeof siteProductSchema>

/** Which column of the station's TOA5 table holds what; the unit written in the file is converted. */
export const stationSchema = z.object({
  name: z.string(),
  /** IANA zone of the time stamps in the files, which carry none themselves. */
  fileTimeZone: z.string().default('UTC'),
  columns: z.object({
    temperatureC: z.string(),
    pressureHpa: z.string(),
    humidityPct: z.string(),
    windSpeedMs: z.string(),
    /** Direction where the wind comes from, degrees clockwise from north. */
    windDirectionDeg: z.string(),
    sonicSpeedMs: z.string().optional(),
    sonicDirectionDeg: z.string().optional(),
    /** Vertical wind of the 3D anemometer. */
    sonicVerticalMs: z.string().optional(),
  }),
})
export type SiteStation = z.infer<typeof stationSchema>

export const tilesSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('raster'),
    urls: z.array(z.string()).min(1),
    attribution: z.string(),
    maxZoom: z.int().default(19),
  }),
  z.object({
    kind: z.literal('pmtiles'),
    /** Path on the server, relative to the site folder, or an address. */
    path: z.string(),
    glyphs: z.string().optional(),
    attribution: z.string(),
  }),
])

/** `site/site.json`: everything about one radar. */
export const siteSchema = z
  .object({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    name: z.string(),
    /** Zone in which days and hours are shown and in which a civil day is cut. */
    timeZone: z.string().default('Europe/Paris'),
    radar: z.object({
      name: z.string(),
      position: latLngSchema,
      altitudeM: z.number(),
      rangeKm: z.number().positive(),
      wavelengthM: z.number().positive(),
      beamwidthDeg: z.number().positive(),
    }),
    map: z.object({ center: latLngSchema, zoom: z.number(), minZoom: z.number(), maxZoom: z.number() }),
    tiles: tilesSchema,
    products: z.array(siteProductSchema).min(1),
    defaultProduct: z.string(),
    /** Product that ODIM files feed when none is named. */
    odimProduct: z.string(),
    defaultCatchment: z.string().nullable(),
    station: stationSchema.nullable(),
    microRainRadar: z
      .object({
        name: z.string(),
        position: latLngSchema,
        /** Start of the hour that everyone may look at as a demonstration. */
        openHour: z.iso.datetime().optional(),
      })
      .nullable(),
    /** Events whose rain simulations may use, such as ev7. */
    events: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          product: z.string(),
          start: z.iso.datetime(),
          end: z.iso.datetime(),
          intervalMinutes: z.number().positive(),
          durationHours: z.number().positive(),
        }),
      )
      .default([]),
    /** Towns of the own reference layer, drawn without network. */
    towns: z.array(z.object({ name: z.string(), position: latLngSchema, rank: z.int() })).default([]),
    /** Main rivers of the own reference layer: lines of [lng, lat]. */
    rivers: z
      .array(z.object({ name: z.string(), line: z.array(z.tuple([z.number(), z.number()])) }))
      .default([]),
    /** Address of the audience measurement (Matomo); null sends nothing to anyone. */
    analytics: z.object({ url: z.url(), siteId: z.string() }).nullable(),
  })
  .superRefine((site, ctx) => {
    const names = new Set(site.products.map((p) => p.shortName))
    if (names.size !== site.products.length)
      ctx.addIssue({ code: 'custom', message: 'deux produits portent le même shortName', path: ['products'] })
    for (const key of ['defaultProduct', 'odimProduct'] as const)
      if (!names.has(site[key]))
        ctx.addIssue({ code: 'custom', message: `le produit « ${site[key]} » n'existe pas`, path: [key] })
  })
export type Site = z.infer<typeof siteSchema>

/** What the browser gets of the site: `GET /api/site` (ours). */
export const publicSiteSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  timeZone: z.string(),
  demo: z.boolean(),
  radar: siteSchema.shape.radar,
  map: siteSchema.shape.map,
  tiles: tilesSchema,
  products: z.array(siteProductSchema),
  defaultProduct: z.string(),
  defaultCatchment: z.string().nullable(),
  hasStation: z.boolean(),
  microRainRadar: z.object({ name: z.string(), position: latLngSchema }).nullable(),
  towns: siteSchema.shape.towns,
  rivers: siteSchema.shape.rivers,
  analytics: siteSchema.shape.analytics,
})
export type PublicSite = z.infer<typeof publicSiteSchema>
