import { createReadStream, existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CatchmentCollection } from '@radx/contracts/catchments'
import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { Nowcast, NowcastFan, NowcastPlace } from '@radx/contracts/nowcast'
import type { LiveResponse, RadarImage } from '@radx/contracts/radar'
import type { PublicSite } from '@radx/contracts/site'
import { formatDateFr, formatTimeFr } from '@radx/locale/format-fr'
import { encodeClassBlock, encodeClassBundleHeader } from '@radx/rainfall/class-bundle'
import { encodeRate } from '@radx/rainfall/rates'
import { type FrameStatistics, frameStatistics, maxMmH, validPct, zoneStats } from '@radx/rainfall/statistics'

/** A server of known answers for tests of the interface alone; the product's own server is tested elsewhere. */

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const HORIZON_MIN = 35
const LEADS_MIN = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]

const BASIN: CatchmentCollection = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { key: 'melun', name: 'Melun', parent: null },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [2.6, 48.5],
            [2.7, 48.5],
            [2.7, 48.6],
            [2.6, 48.5],
          ],
        ],
      },
    },
  ],
}

/** Rain comes in 25 min for 40; nothing is known beyond 80. */
const RAIN_IN_25_MIN: Omit<NowcastPlace, 'issued'> = {
  horizonMin: HORIZON_MIN,
  reason: null,
  classes: Array.from({ length: 25 }, (_, k) => {
    const leadMin = 5 * k
    const rate = leadMin >= 25 && leadMin < 65 ? 1 + (k % 3) : 0
    return { leadMin, class: leadMin > 80 ? null : rate }
  }),
  rainInMin: 25,
  dryInMin: null,
}

export const FIXTURE_SITE: PublicSite = {
  id: 'radx',
  name: 'RadX',
  version: '3.0.1',
  timeZone: 'Europe/Paris',
  demo: false,
  radar: {
    name: 'Radar bande X de Champs-sur-Marne',
    position: { lat: 48.84251, lng: 2.58871 },
    altitudeM: 145,
    rangeKm: 100,
    wavelengthM: 0.032,
    beamwidthDeg: 1,
  },
  map: { center: { lat: 48.84251, lng: 2.58871 }, zoom: 9, minZoom: 9, maxZoom: 13 },
  tiles: { kind: 'none' },
  products: [
    {
      shortName: 'dpsri',
      longName: 'Intensité de pluie au sol, double polarisation',
      activeStatus: true,
      bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
      steps: 400,
      frameSeconds: 206,
    },
    {
      shortName: 'sri',
      longName: 'Intensité de pluie au sol',
      activeStatus: true,
      bounds: { ul: { lat: 49.733573, lng: 1.197286 }, lr: { lat: 47.935293, lng: 3.98 } },
      steps: 500,
      frameSeconds: 206,
    },
    {
      shortName: 'cappi',
      longName: 'Coupe horizontale',
      activeStatus: false,
      bounds: { ul: { lat: 49.29013, lng: 1.899286 }, lr: { lat: 48.390853, lng: 3.2779 } },
      steps: 400,
      frameSeconds: 206,
    },
  ],
  defaultProduct: 'dpsri',
  defaultCatchment: 'melun',
  hasStation: true,
  microRainRadar: { name: 'MRR-PRO', position: { lat: 48.84251, lng: 2.58871 } },
  towns: [
    { name: 'Paris', position: { lat: 48.8566, lng: 2.3522 }, rank: 1 },
    { name: 'Melun', position: { lat: 48.5421, lng: 2.6554 }, rank: 1 },
    { name: 'Meaux', position: { lat: 48.9603, lng: 2.8883 }, rank: 1 },
    { name: 'Versailles', position: { lat: 48.8049, lng: 2.1204 }, rank: 1 },
    { name: 'Évry-Courcouronnes', position: { lat: 48.6289, lng: 2.4263 }, rank: 2 },
    { name: 'Provins', position: { lat: 48.5593, lng: 3.2997 }, rank: 1 },
    { name: 'Senlis', position: { lat: 49.2056, lng: 2.5856 }, rank: 1 },
    { name: 'Pontoise', position: { lat: 49.0508, lng: 2.1008 }, rank: 1 },
    { name: 'Fontainebleau', position: { lat: 48.4047, lng: 2.7016 }, rank: 1 },
  ],
  rivers: [
    {
      name: 'Seine',
      line: [
        [3.05, 48.4],
        [2.8, 48.39],
        [2.66, 48.54],
        [2.45, 48.65],
        [2.38, 48.83],
        [2.25, 48.83],
        [2.2, 48.93],
        [1.95, 48.97],
      ],
    },
    {
      name: 'Marne',
      line: [
        [3.4, 49.03],
        [2.89, 48.96],
        [2.6, 48.86],
        [2.41, 48.82],
      ],
    },
  ],
  analytics: null,
  embedding: false,
}

export interface FixtureOptions {
  /** Folder of the built web application. */
  dist: string
  frames?: number
  /** UTC instant of the newest frame. */
  newest?: number
  isRadarDown?: boolean
  /** Rate in mm/h at a cell of a frame; NaN is no data. */
  rate?: (frame: number, row: number, col: number, steps: number) => number
  /** Rain comes from the west over the next 50 min; without it there is no forecast. */
  forecast?: boolean
  /** Answers of single paths in place of the usual ones. */
  overrides?: Record<string, { status: number; body: unknown }>
  /** Changes the live answer before it is sent. */
  mutate?: (live: LiveResponse) => void
  port?: number
}

export interface FixtureServer {
  url: string
  /** Paths that were asked for, in order. */
  requests: string[]
  options: FixtureOptions
  /** The radar gives its next frame; the oldest leaves the window. */
  advance: () => void
  close: () => Promise<void>
}

const STEP_MS = 206_000

/** Showers that drift to the east-north-east inside the radar's circle. */
function driftingShowers(frame: number, row: number, col: number, steps: number): number {
  const x = col / steps
  const y = row / steps
  if (Math.hypot(x - 0.5, y - 0.5) > 0.5) return Number.NaN
  let rate = 0
  for (let cell = 0; cell < 9; cell++) {
    const cx = ((cell * 0.37 + frame * (0.009 + 0.001 * (cell % 3))) % 1.3) - 0.15
    const cy = ((cell * 0.61 + 0.2 - frame * 0.002) % 1) + 0.04 * Math.sin(cell + frame / 9)
    const size = 0.03 + 0.02 * (cell % 4)
    const stretch = Math.hypot((x - cx) / 1.6, y - cy) / size
    const texture = 0.75 + 0.25 * Math.sin(40 * x + cell) * Math.cos(33 * y - frame / 6)
    rate += (6 + 17 * ((cell * 7) % 8)) * Math.exp(-stretch * stretch) * texture
  }
  return rate < 0.08 ? 0 : rate
}

export async function startFixtureServer(options: FixtureOptions): Promise<FixtureServer> {
  const requests: string[] = []
  const blocks = new Map<string, { block: Uint8Array; statistics: FrameStatistics }>()
  const count = options.frames ?? 52
  let newest = options.newest ?? Date.UTC(2026, 10, 21, 2, 42, 10)
  const times = () => Array.from({ length: count }, (_, i) => newest - (count - 1 - i) * STEP_MS)
  const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
  const rate = options.rate ?? driftingShowers

  const frame = (product: string, ms: number) => {
    const key = `${product}/${ms}`
    const known = blocks.get(key)
    if (known) return known
    const steps = FIXTURE_SITE.products.find((p) => p.shortName === product)?.steps ?? 400
    const index = times().indexOf(ms)
    const codes = new Uint16Array(steps * steps)
    for (let row = 0; row < steps; row++)
      for (let col = 0; col < steps; col++)
        codes[row * steps + col] = encodeRate(rate(index, row, col, steps))
    const made = { block: encodeClassBlock(codes), statistics: frameStatistics(codes) }
    blocks.set(key, made)
    return made
  }

  const image = (product: string, ms: number): RadarImage => {
    const { statistics } = frame(product, ms)
    return {
      ...zoneStats(statistics),
      path: `/images/radar/${product}/${iso(ms)}.png`,
      datetime: iso(ms),
      time: iso(ms).slice(11, 19),
      localtime: formatTimeFr(ms, 'Europe/Paris'),
      date: formatDateFr(ms, 'Europe/Paris'),
      max: maxMmH(statistics),
      maxAt: null,
      validpc: validPct(statistics),
      catchment: null,
    }
  }

  const live = (product: string): LiveResponse => {
    const images = times().map((ms) => image(product, ms))
    let depth = 0
    const zoneMm = images.map((entry) => (depth += ((entry.mean ?? 0) * STEP_MS) / 3_600_000))
    const series = (base: number, swing: number) =>
      Array.from({ length: 36 }, (_, i) => ({
        datetime: iso(newest - (35 - i) * 300_000),
        value: Math.round((base + swing * Math.sin(i / 5)) * 10) / 10,
      }))
    const compass = (turn: number) =>
      Object.fromEntries(
        ['t0', 't1', 't2', 't3'].map((name, speed) => [
          name,
          Object.fromEntries(
            DIRECTIONS.map((direction, i) => [
              direction,
              Math.max(0, Math.round((14 - 4 * Math.abs(((i - turn + 24) % 16) - 8 + speed)) * 10) / 10),
            ]),
          ),
        ]),
      )
    const answer: LiveResponse = {
      images,
      isRadarDown: options.isRadarDown ?? false,
      taranis: {
        t: series(8.4, 1.2),
        p: series(1009.3, 2.1),
        h: series(87, 6),
        uzSonic: series(0.2, 1.4),
        end: iso(newest),
        station: compass(3),
        sonic: compass(4),
      } as LiveResponse['taranis'],
      mrr: { latest: null },
      cumulated: { zoneMm, catchmentMm: null, missingSeconds: 0 },
    }
    options.mutate?.(answer)
    return answer
  }

  const bundle = (product: string, s: string, e: string) => {
    const wanted = times().filter((ms) => ms >= Date.parse(s) && ms < Date.parse(e))
    const steps = FIXTURE_SITE.products.find((p) => p.shortName === product)?.steps ?? 400
    return Buffer.concat([
      encodeClassBundleHeader({ product, steps, times: wanted.map(iso) }),
      ...wanted.map((ms) => frame(product, ms).block),
    ])
  }

  const leads = () => LEADS_MIN.map((minutes) => iso(newest + minutes * 60_000))
  const nowcast = (): Nowcast => ({
    product: 'sri',
    issued: iso(newest),
    reason: options.forecast ? null : 'dry',
    times: options.forecast ? leads() : [],
    horizonMin: HORIZON_MIN,
    skill: [],
    origin: 'stored',
    members: options.forecast ? 20 : 0,
  })

  const fan = (): NowcastFan => ({
    ...nowcast(),
    members: 20,
    values: [newest, ...leads().map(Date.parse)].map((ms, k) => ({
      time: iso(ms),
      leadMin: k * 5,
      mmH: k,
      p10: k === 0 ? null : k / 2,
      p50: k === 0 ? null : k * 0.9,
      p90: k === 0 ? null : k * 2,
    })),
  })

  /** A band that moves east by a twentieth of the product every lead: a class, or tenths of probability. */
  const ahead = (code: number, withNow: boolean) => {
    const steps = 500
    const at = withNow ? [iso(newest), ...leads()] : leads()
    const blocks = at.map((_, k) => {
      const from = (0.3 + 0.05 * k) * steps
      return Uint8Array.from({ length: (steps * steps) / 2 }, (_, i) => {
        const col = (2 * i) % steps
        return col >= from && col < from + 60 ? code * 17 : 0
      })
    })
    return Buffer.concat([
      encodeClassBundleHeader({ product: 'sri', steps, times: at, forecast: { issued: iso(newest) } }),
      ...blocks,
    ])
  }

  const pictures = (url: URL): Buffer | null => {
    if (options.overrides?.[url.pathname]) return null
    const asked = (name: string) => url.searchParams.get(name) ?? ''
    if (url.pathname === '/api/products/frames') return bundle(asked('p'), asked('s'), asked('e'))
    if (!options.forecast) return null
    if (url.pathname === '/api/nowcast/frames') return ahead(3, true)
    return url.pathname === '/api/nowcast/chances' ? ahead(7, false) : null
  }

  const answer = (url: URL): { status: number; body: unknown } | null => {
    const given = options.overrides?.[url.pathname]
    if (given) return given
    const product = url.searchParams.get('p') ?? 'dpsri'
    if (url.pathname === '/api/alerts/current') return { status: 200, body: { rules: 0, current: [] } }
    if (url.pathname === '/api/site') return { status: 200, body: FIXTURE_SITE }
    if (url.pathname === '/api/products')
      return {
        status: 200,
        body: FIXTURE_SITE.products.map(({ frameSeconds: _, ...rest }) => rest),
      }
    if (url.pathname === '/api/products/latestImages') return { status: 200, body: live(product) }
    if (url.pathname === '/api/nowcast/place')
      return { status: 200, body: { issued: iso(newest), ...RAIN_IN_25_MIN } }
    if (url.pathname === '/api/nowcast') return { status: 200, body: nowcast() }
    if (url.pathname === '/api/catchments') return { status: 200, body: BASIN }
    if (url.pathname === '/api/nowcast/fan') return { status: 200, body: fan() }
    if (url.pathname === '/api/nowcast/motion')
      return {
        status: 200,
        body: {
          product: 'sri',
          issued: iso(newest),
          reason: null,
          arrows: [{ lat: 48.9, lng: 2.4, eastKmH: 45, northKmH: 12 }],
        },
      }
    if (url.pathname === '/api/mrr/latest') return { status: 200, body: { file: null, dry: false } }
    if (url.pathname === '/api/article/home-message') return { status: 200, body: [] }
    if (url.pathname.startsWith('/api/products/params/'))
      return {
        status: 200,
        body: {
          product: {
            version: '5.51.0',
            name: product,
            datetime: decodeURIComponent(url.pathname.split('/')[4]),
          },
          data: { sensorinfo: { name: 'PARIS-X', wavelen: 0.0319, beamwidth: 1, alt: 145 } },
        },
      }
    return null
  }

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(`${url.pathname}${url.search}`)
    const body = pictures(url)
    if (body) {
      response.writeHead(200, { 'content-type': 'application/x-radx-frames', 'content-encoding': 'gzip' })
      response.end(gzipSync(body, { level: 1 }))
      return
    }
    const known = answer(url)
    if (known || url.pathname.startsWith('/api/')) {
      const { status, body } = known ?? {
        status: 404,
        body: { code: 'route.unknown', message: 'Adresse inconnue.' },
      }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
      return
    }
    const wanted = join(options.dist, normalize(url.pathname))
    const file = existsSync(wanted) && extname(wanted) !== '' ? wanted : join(options.dist, 'index.html')
    const compressed = existsSync(`${file}.br`) && String(request.headers['accept-encoding']).includes('br')
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy':
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self'",
      ...(compressed ? { 'content-encoding': 'br' } : {}),
    })
    createReadStream(compressed ? `${file}.br` : file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    options,
    advance: () => {
      newest += STEP_MS
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const DIRECTIONS = 'n nne ne ene e ese se sse s ssw sw wsw w wnw nw nnw'.split(' ')

/** Colour of a rate on the map at full opacity, `[r, g, b]`; null where nothing is drawn. */
export function colorOf(rateMmH: number): [number, number, number] | null {
  const row = [...INTENSITY_CLASSES].reverse().find((entry) => rateMmH >= entry.lowMmH)
  return row
    ? ([1, 3, 5].map((at) => Number.parseInt(row.color.slice(at, at + 2), 16)) as [number, number, number])
    : null
}
