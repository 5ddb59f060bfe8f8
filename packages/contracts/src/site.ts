import { z } from 'zod'
import { keyWords, list, longText, shortText } from './bounds.ts'
import { siteMontanaSchema } from './storms.ts'

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
  shortName: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, keyWords(32)),
  longName: shortText().min(1),
  activeStatus: z.boolean(),
  bounds: boundsSchema,
  steps: z.int().min(8).max(2000),
  /** Expected time between two frames in seconds. */
  frameSeconds: z.number().positive().default(206),
})
export type SiteProduct = z.infer<typeof siteProductSchema>

/** Which column of the station's TOA5 table holds what; the unit written in the file is converted. */
export const stationSchema = z.object({
  name: shortText(),
  /** Of the thermometer above sea level; that of the radar where it is left out. */
  altitudeM: z.number().optional(),
  /** IANA zone of the time stamps in the files, which carry none themselves. */
  fileTimeZone: shortText().default('UTC'),
  columns: z.object({
    temperatureC: shortText(),
    pressureHpa: shortText(),
    humidityPct: shortText(),
    windSpeedMs: shortText(),
    /** Direction where the wind comes from, degrees clockwise from north. */
    windDirectionDeg: shortText(),
    sonicSpeedMs: shortText().optional(),
    sonicDirectionDeg: shortText().optional(),
    /** Vertical wind of the 3D anemometer. */
    sonicVerticalMs: shortText().optional(),
  }),
})
export type SiteStation = z.infer<typeof stationSchema>

/** Where a gauge's readings stand: the station's own table, a logger's TOA5 tables, or CSV files with a header. */
const gaugeSourceSchema = z.discriminatedUnion('format', [
  z.object({ format: z.literal('station'), column: shortText().min(1) }),
  z.object({
    format: z.literal('toa5'),
    /** How the names of its files begin. */
    files: shortText().min(1),
    column: shortText().min(1),
  }),
  z.object({
    format: z.literal('csv'),
    files: shortText().min(1),
    time: shortText().min(1),
    /** Column of the hour where `time` holds the date alone. */
    clock: shortText().optional(),
    /** Without it each line is a tip. */
    value: shortText().optional(),
    /** Where one file holds several gauges: the column that names them, and this one's name there. */
    gauge: z.object({ column: shortText(), value: shortText() }).optional(),
  }),
])

/** A rain gauge of the site. */
export const siteGaugeSchema = z
  .object({
    id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/),
    name: shortText().min(1),
    position: latLngSchema,
    source: gaugeSourceSchema,
    /** What a value is: depth since the reading before, rate, total that only grows, or tips of a bucket. */
    measure: z.enum(['depth', 'rate', 'total', 'tips']).default('depth'),
    /** Of values that are no tips; a unit that a TOA5 table writes itself goes first. */
    unit: z.enum(['mm', 'cm', 'in', 'mm/h', 'in/h']).default('mm'),
    /** Depth of one tip. */
    tipMm: z.number().positive().max(10).optional(),
    /** IANA zone of time stamps that carry none. */
    timeZone: shortText().default('UTC'),
    /** Time that a reading stands for; the usual distance of readings otherwise. */
    intervalSeconds: z.int().min(1).max(86_400).optional(),
  })
  .refine(({ measure, tipMm }) => measure !== 'tips' || tipMm !== undefined, {
    message: 'un auget demande tipMm, la lame d’un basculement en mm',
    path: ['tipMm'],
  })
  .refine(
    ({ source, measure }) => source.format !== 'csv' || source.value !== undefined || measure === 'tips',
    {
      message: 'sans colonne value, chaque ligne est un basculement : measure vaut alors « tips »',
      path: ['source', 'value'],
    },
  )
export type SiteGauge = z.infer<typeof siteGaugeSchema>

/** How radar rain is adjusted to gauges. */
export const siteAdjustmentSchema = z.object({
  /** Factors stay inside; those of real services go below 0.5. */
  limits: z.tuple([z.number().positive().max(1), z.number().min(1).max(1000)]).default([0.1, 10]),
  /** Hours whose hourly factors make the running median. */
  windowHours: z.int().min(1).max(240).default(6),
  minGauges: z.int().min(1).max(1000).default(3),
})

/** The coarsest step of forecasts that a site may have, minutes. */
export const NOWCAST_LONGEST_STEP_MIN = 30

/** Forecasts that follow each frame. */
export const siteNowcastSchema = z.object({
  /** Between two leads, and up to the last one. */
  stepMinutes: z.int().min(1).max(NOWCAST_LONGEST_STEP_MIN).default(5),
  longestMinutes: z.int().min(5).max(180).default(120),
  members: z.int().min(2).max(100).default(20),
})
export type SiteNowcast = z.infer<typeof siteNowcastSchema>

/** How polar volumes become rain; what is left out is that of the radar's band (docs/formats.md has the sources). */
export const sitePolarimetrySchema = z.object({
  /** Files by moment that make a Rainbow 5 volume whole, as their names end. */
  moments: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]{0,11}$/, 'un moment s’écrit comme dans les noms de fichiers : dBZ'),
    )
    .min(1)
    .max(20)
    .default(['dBZ', 'ZDR', 'PhiDP', 'RhoHV', 'KDP', 'V', 'W']),
  /** So long after the last of its files came, a volume is made of what is there. */
  waitSeconds: z.number().min(0).max(600).default(60),
  /** The lowest sweeps that rain at the ground is put together of, and how high they may look. */
  sweeps: z.int().min(1).max(20).default(4),
  highestDeg: z.number().positive().max(90).default(10),
  /** How attenuation is put back where a volume has no phase. */
  noPhase: z.enum(['hitschfeld-bordan', 'kraemer', 'modified-kraemer']).default('modified-kraemer'),
  /** What stands in the beam, from north clockwise: how far away, and how high above the antenna's horizon. */
  horizon: z
    .array(
      z.object({
        fromDeg: z.number().min(0).max(360),
        toDeg: z.number().min(0).max(360),
        distanceKm: z.number().min(0).max(500),
        topDeg: z.number().min(-5).max(90),
      }),
    )
    .max(720)
    .default([]),
  /** dB a degree, between attenuation and KDP. */
  alpha: z.number().positive().max(2).optional(),
  /** Exponent of Z in attenuation. */
  b: z.number().positive().max(2).optional(),
  /** R = a A^b, mm/h of dB a km. */
  rainOfA: z.object({ a: z.number().positive().max(1e5), b: z.number().positive().max(3) }).optional(),
})
export type SitePolarimetry = z.infer<typeof sitePolarimetrySchema>

export const tilesSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('raster'),
    urls: list(shortText()).min(1),
    attribution: longText(),
    maxZoom: z.int().default(19),
  }),
  z.object({
    kind: z.literal('pmtiles'),
    /** Path on the server, relative to the site folder, or an address. */
    path: longText(),
    glyphs: longText().optional(),
    attribution: longText(),
  }),
])

/** `site/site.json`: everything about one radar. */
export const siteSchema = z
  .object({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, keyWords(32)),
    name: shortText(),
    /** Zone in which days and hours are shown and in which a civil day is cut. */
    timeZone: shortText().default('Europe/Paris'),
    radar: z.object({
      name: shortText(),
      position: latLngSchema,
      altitudeM: z.number(),
      rangeKm: z.number().positive(),
      wavelengthM: z.number().positive(),
      beamwidthDeg: z.number().positive(),
    }),
    map: z.object({ center: latLngSchema, zoom: z.number(), minZoom: z.number(), maxZoom: z.number() }),
    tiles: tilesSchema,
    products: list(siteProductSchema).min(1),
    defaultProduct: shortText(),
    /** Product that ODIM files feed when none is named. */
    odimProduct: shortText(),
    defaultCatchment: shortText().nullable(),
    station: stationSchema.nullable(),
    gauges: z.array(siteGaugeSchema).max(1_000).default([]),
    adjustment: siteAdjustmentSchema.prefault({}),
    nowcast: siteNowcastSchema.prefault({}),
    polarimetry: sitePolarimetrySchema.prefault({}),
    microRainRadar: z
      .object({
        name: shortText(),
        position: latLngSchema,
        /** Above sea level; that of the radar where it is left out. */
        altitudeM: z.number().optional(),
        /** Start of the hour that everyone may look at as a demonstration. */
        openHour: z.iso.datetime().optional(),
      })
      .nullable(),
    /** Events whose rain simulations may use, such as ev7. */
    events: list(
      z.object({
        id: shortText(),
        title: shortText(),
        product: shortText(),
        start: z.iso.datetime(),
        end: z.iso.datetime(),
        intervalMinutes: z.number().positive(),
        durationHours: z.number().positive(),
      }),
    ).default([]),
    /** Towns of the own reference layer, drawn without network. */
    towns: list(z.object({ name: shortText(), position: latLngSchema, rank: z.int() })).default([]),
    /** Main rivers of the own reference layer: lines of [lng, lat]. */
    rivers: list(z.object({ name: shortText(), line: list(z.tuple([z.number(), z.number()])) })).default([]),
    /** Tables of return periods; none is shipped that is not public. */
    montana: list(siteMontanaSchema).default([]),
    /** Which other sites may show the read-only view in a frame; none unless they are named. */
    embed: z
      .object({
        origins: z
          .array(
            z
              .string()
              .max(200)
              .regex(
                /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,180}[a-z0-9])?(?::\d{1,5})?$/i,
                'une origine s’écrit https://www.exemple.fr, ou https://*.exemple.fr pour tous ses sous-domaines',
              ),
          )
          .max(50)
          .default([]),
      })
      .prefault({}),
    /** Address of the audience measurement (Matomo); null sends nothing to anyone. */
    analytics: z.object({ url: z.url(), siteId: shortText() }).nullable(),
  })
  .superRefine((site, ctx) => {
    const names = new Set(site.products.map((p) => p.shortName))
    if (names.size !== site.products.length)
      ctx.addIssue({ code: 'custom', message: 'deux produits portent le même shortName', path: ['products'] })
    if (new Set(site.gauges.map(({ id }) => id)).size !== site.gauges.length)
      ctx.addIssue({ code: 'custom', message: 'deux pluviomètres portent le même id', path: ['gauges'] })
    site.gauges.forEach(({ source }, k) => {
      if (source.format === 'station' && site.station === null)
        ctx.addIssue({
          code: 'custom',
          message: 'ce site n’a pas de station (station est null)',
          path: ['gauges', k, 'source'],
        })
    })
    for (const key of ['defaultProduct', 'odimProduct'] as const)
      if (!names.has(site[key]))
        ctx.addIssue({ code: 'custom', message: `le produit « ${site[key]} » n'existe pas`, path: [key] })
  })
export type Site = z.infer<typeof siteSchema>

/** What the browser gets of the site: `GET /api/site` (ours). */
export const publicSiteSchema = z.object({
  id: shortText(),
  name: shortText(),
  version: shortText(),
  timeZone: shortText(),
  demo: z.boolean(),
  radar: siteSchema.shape.radar,
  map: siteSchema.shape.map,
  tiles: tilesSchema,
  /** Those made of kept volumes by other settings come last: they have no live window. */
  products: list(siteProductSchema.extend({ made: z.literal(true).optional() })),
  defaultProduct: shortText(),
  defaultCatchment: shortText().nullable(),
  hasStation: z.boolean(),
  microRainRadar: z.object({ name: shortText(), position: latLngSchema }).nullable(),
  towns: siteSchema.shape.towns,
  rivers: siteSchema.shape.rivers,
  analytics: siteSchema.shape.analytics,
  /** Some other site may show the read-only view. */
  embedding: z.boolean(),
})
export type PublicSite = z.infer<typeof publicSiteSchema>
