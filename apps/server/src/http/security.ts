import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { Site } from '@radx/contracts'
import type { App } from './app.ts'

/** Security headers on every answer, and rate limits for the routes that set `config.rateLimit`. */
export async function installSecurity(app: App, site: Pick<Site, 'tiles' | 'analytics'>): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(site) },
    // Whoever puts TLS in front decides on it (docs/operations.md).
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    // Tile servers such as OpenStreetMap's refuse requests that do not say where they come from.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  await app.register(rateLimit, { global: false })
}

/**
 * No inline or foreign script, the audience measurement included: reports go out without its script. Style
 * elements and attributes may be inline, since the component library makes them while it runs; style files are
 * ours alone. Pictures and connections also reach the configured map tiles and the measurement.
 */
function contentSecurityPolicy(site: Pick<Site, 'tiles' | 'analytics'>): Record<string, string[]> {
  const tiles = tileOrigins(site.tiles)
  const analytics = site.analytics ? [new URL(site.analytics.url).origin] : []
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'script-src-attr': ["'none'"],
    'worker-src': ["'self'", 'blob:'],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...tiles, ...analytics],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", 'blob:', ...tiles, ...analytics],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'self'"],
  }
}

function tileOrigins(tiles: Site['tiles']): string[] {
  const addresses =
    tiles.kind === 'raster'
      ? tiles.urls
      : tiles.kind === 'pmtiles'
        ? [tiles.path, ...(tiles.glyphs ? [tiles.glyphs] : [])]
        : []
  const origins = addresses
    .filter((address) => /^https?:\/\//.test(address))
    // A subdomain template such as https://{s}.tile.example/ stands for any of them.
    .map((address) => /^https?:\/\/[^/]+/.exec(address)![0].replace(/\{[^}]*\}/g, '*'))
  return [...new Set(origins)]
}
