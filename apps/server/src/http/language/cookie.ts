import type { IncomingHttpHeaders } from 'node:http'

export type Language = 'fr' | 'en'

/** What the switch of the page sets; who never used it reads French, whatever the browser prefers. */
export const LANGUAGE_COOKIE = 'radx-language'

/** The language that a caller has chosen. */
export const languageOf = ({ headers }: { headers: IncomingHttpHeaders }): Language =>
  /(?:^|;\s*)radx-language=en(?:;|$)/.test(headers.cookie ?? '') ? 'en' : 'fr'
