import type { App } from '../app.ts'
import { LANGUAGE_COOKIE, languageOf } from './cookie.ts'
import { answerInEnglish } from './translate.ts'

const YEAR_SECONDS = 365 * 24 * 3600

/** Answers callers who chose English in English; files and what they hold stay as they are. */
export function installLanguage(app: App): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (languageOf(request) === 'fr') return payload
    // A cache that visitors share keeps the French answers.
    if (String(reply.getHeader('cache-control') ?? '').startsWith('public'))
      reply.header('cache-control', 'private, max-age=0')
    return answerInEnglish(payload)
  })
}

/** The switch of languages: keeps the choice in a cookie and leads back to the page that it was made on. */
export function registerLanguage(app: App): void {
  app.get<{ Params: { language: string } }>(
    '/langue/:language',
    { schema: { hide: true } },
    async (request, reply) => {
      const language = request.params.language === 'en' ? 'en' : 'fr'
      return reply
        .header(
          'set-cookie',
          `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly`,
        )
        .header('cache-control', 'no-store')
        .redirect(pageBefore(request.headers.referer, request.headers.host), 303)
    },
  )
}

/** The page that asked, with its selection, where it is one of this site's; else the first one. */
export function pageBefore(referer: string | undefined, host: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return '/'
  const { host: from, pathname, search } = new URL(referer)
  // A path of two strokes would lead to another site.
  return from === host && /^\/(?![/\\])/.test(pathname) && !pathname.startsWith('/langue/')
    ? pathname + search
    : '/'
}
