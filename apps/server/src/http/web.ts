import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import { RadxError } from '@radx/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Deps } from './app.ts'
import { NotFound } from './errors.ts'
import { type Language, languageOf } from './language/cookie.ts'

/** Addresses of the web application (specification 1, section 2); what it shows there it decides itself. */
const SCREENS: RegExp[] = [
  /^\/$/,
  /^\/analyse$/,
  /^\/analyse\/prevision$/,
  /^\/balayage$/,
  /^\/prevision$/,
  /^\/alertes$/,
  /^\/mrr$/,
  /^\/multihydro$/,
  /^\/multihydro\/form$/,
  /^\/multihydro\/case-study\/form\/[^/]+$/,
  /^\/multihydro\/[^/]+$/,
  /^\/multihydro\/[^/]+\/espace$/,
  /^\/multihydro\/batterie\/[^/]+$/,
  /^\/bassins$/,
  /^\/bassins\/nouveau$/,
  /^\/bassins\/nouveau\/[^/]+$/,
  /^\/reseaux$/,
  /^\/reseaux\/[^/]+$/,
  /^\/rapport$/,
  /^\/rapport\/simulation\/[^/]+$/,
  /^\/compte$/,
  /^\/a-propos$/,
  /^\/aide(?:\/[^/]+)?$/,
  /^\/admin$/,
]

/** Whether an address of this site is one of its screens. @param path without query */
export const isScreen = (path: string): boolean => SCREENS.some((screen) => screen.test(path))

/** Read-only views for pages of other sites. */
const EMBED = /^\/embed\/[a-z]+$/

/** Forms that the build makes of a file. */
const PACKED = /\.(?:br|gz)$/

const PAGE_CACHING = 'public, max-age=0, s-maxage=10, stale-while-revalidate=10'
const MAP_CACHING = 'public, max-age=0, s-maxage=3600, stale-while-revalidate=3600'

/** Stands in for the application while its first build runs, and asks again by itself. */
const BUILDING_PAGE = `<!doctype html>
<html lang="fr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>RadX</title>
<style>:root{color-scheme:light dark;font-family:system-ui,sans-serif}body{display:grid;place-content:center;min-height:90vh;text-align:center}</style></head>
<body><h1>RadX</h1><p role="status">L’interface est en cours de construction. Cette page s’ouvrira d’elle-même dans un instant.</p>
<p><small>Si rien ne vient : <code>npm run build</code></small></p></body>
</html>`

/**
 * Serves the built web application: files by name, precompressed ones where the browser takes them,
 * hashed ones for good; the page itself for its screens, and with 404 for other addresses that a person
 * opens, so that it shows its error page.
 */
export async function installWeb(
  app: App,
  distDir: string,
  { config, site }: Pick<Deps, 'config' | 'site'>,
): Promise<void> {
  // The server may be up before the first build is done.
  if (!existsSync(distDir)) mkdirSync(distDir, { recursive: true })
  const ofOneForm = new WeakSet<FastifyReply>()
  await app.register(staticFiles, {
    root: distDir,
    serve: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply, path) => {
      if (!PACKED.test(path) && !existsSync(`${path}.br`)) ofOneForm.add(reply)
      const hashed = path.slice(distDir.length).replaceAll('\\', '/').startsWith('/assets/')
      // A page names its scripts: it must not outlive them for long.
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : PAGE_CACHING)
    },
  })

  // Base map of the site folder: its own ground, byte ranges of an archive of tiles, and its glyphs.
  app.get('/site/*', { schema: { hide: true } }, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (!/\.(pmtiles|pbf)$|^ground\.json$/.test(path)) throw new NotFound()
    return reply.header('cache-control', MAP_CACHING).sendFile(path, config.siteDir)
  })

  // What is worth packing is packed when it is built. What is not has one form, which a shared cache keeps and asks for
  // once, however many spellings of encodings its visitors have.
  const onSend = async (_: FastifyRequest, reply: FastifyReply) => {
    if (ofOneForm.has(reply) && reply.getHeader('vary') === 'accept-encoding') reply.removeHeader('vary')
  }
  const cards = { distDir, name: site.name, publicUrl: config.publicUrl }
  app.get('/*', { schema: { hide: true }, compress: false, onSend }, async (request, reply) => {
    const path = decodeURI(request.url.split('?', 1)[0]).replace(/(.)\/$/, '$1')
    const language = languageOf(request)
    const ending = language === 'en' && existsSync(join(distDir, 'index.en.html')) ? '.en' : ''
    if (isScreen(path)) {
      await tellScripts(reply, join(distDir, `${path === '/' ? '.first-page' : '.other-pages'}${ending}`))
      return page()
    }
    if (EMBED.test(path)) {
      letFrame(reply, site.embed.origins)
      return page()
    }
    if (path.startsWith('/api/')) throw new NotFound()
    if (/\.[a-z0-9]+$/i.test(path)) return reply.sendFile(path.slice(1))
    if (!String(request.headers.accept ?? '').includes('text/html')) throw new NotFound()
    reply.code(404)
    return page()

    function page() {
      reply.header('vary', 'cookie')
      if (existsSync(join(distDir, 'index.html')))
        return reply.statusCode === 404 || EMBED.test(path)
          ? reply.sendFile(`index${ending}.html`)
          : withCard(reply, ending, cards)
      if (!String(request.headers.accept ?? '').includes('text/html'))
        throw new RadxError(
          'web.missing',
          503,
          "L'interface est en cours de construction. Actualiser la page dans un instant ; si elle manque toujours, lancer npm run build.",
        )
      return reply
        .code(503)
        .headers({ refresh: '2', 'retry-after': '2', 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(BUILDING_PAGE)
    }
  })
}

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** The page of a screen, which tells other sites how to show a link to it. */
async function withCard(
  reply: FastifyReply,
  ending: '' | '.en',
  { distDir, name, publicUrl }: { distDir: string; name: string; publicUrl?: string | null },
): Promise<FastifyReply> {
  const html = await readFile(join(distDir, `index${ending}.html`), 'utf8')
  const { protocol, host } = reply.request
  const address = (publicUrl ?? `${protocol}://${host}`).replace(/\/$/, '')
  const tags = cardTags(name, address, ending === '' ? 'fr' : 'en')
  return reply
    .header('cache-control', PAGE_CACHING)
    .type('text/html; charset=utf-8')
    .send(html.replace('</head>', () => `${tags}</head>`))
}

const CARD_WORDS = {
  fr: {
    title: 'pluie par radar, en direct et en archive',
    description: 'Pluie mesurée par radar bande X, prévision, simulation des inondations en ville',
    picture: 'Dernière image du radar de pluie',
    locale: 'fr_FR',
  },
  en: {
    title: 'rain by radar, live and archived',
    description: 'Rain measured by X-band radar, forecast, simulation of floods in town',
    picture: 'Last image of the rain radar',
    locale: 'en_GB',
  },
} as const

/**
 * Tags of Open Graph: the same for every screen, since they show nothing that anybody but the reader may see.
 * @param address of this site, without a slash at its end
 */
function cardTags(name: string, address: string, language: Language): string {
  const words = CARD_WORDS[language]
  const tags = {
    'og:type': 'website',
    'og:site_name': name,
    'og:title': `${name} – ${words.title}`,
    'og:description': words.description,
    'og:locale': words.locale,
    'og:image': `${address}/cards/direct.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': words.picture,
  }
  const lines = Object.entries(tags).map(
    ([property, content]) => `<meta property="${property}" content="${escaped(content)}" />`,
  )
  return [...lines, '<meta name="twitter:card" content="summary_large_image" />'].join('\n    ')
}

/** Lets the sites that the configuration names show this answer in a frame, and nobody else, this site included. */
function letFrame(reply: FastifyReply, origins: readonly string[]): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  const ancestors = origins.length === 0 ? "'none'" : origins.join(' ')
  reply.header(
    'content-security-policy',
    policy.replace(/frame-ancestors [^;]*/, () => `frame-ancestors ${ancestors}`),
  )
  // It knows one origin at most, so that it stands only where there is none.
  if (origins.length === 0) reply.header('x-frame-options', 'DENY')
  else {
    reply.removeHeader('x-frame-options')
    reply.raw.removeHeader('x-frame-options')
  }
}

/** Names scripts of a page in its header, as its build told them: the browser asks for them while it still reads the page. */
async function tellScripts(reply: FastifyReply, told: string): Promise<void> {
  // Read anew each time: a build may have taken the place of the last one.
  const links = await readFile(told, 'utf8').catch(() => '')
  if (links !== '') reply.header('link', links)
}
