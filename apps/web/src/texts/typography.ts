import { LANGUAGE } from '@radx/locale/language'
import { punctuated } from '@radx/locale/punctuation-fr'

const NBSP = '\u00a0'
const THIN = '\u202f'

/**
 * French typography of our own prose: curly apostrophes, spaces that do not break before high punctuation,
 * inside guillemets and between a number and what it counts. Never for the exact strings of the
 * specification, which keep their typewriter apostrophes.
 */
export const fr = (text: string): string =>
  punctuated(text)
    .replace(/'/g, '’')
    .replace(/(\d) (?=[\p{L}%°])/gu, `$1${NBSP}`)
    .replace(/(\d) (?=\d{3}\b)/g, LANGUAGE === 'fr' ? `$1${THIN}` : '$1 ')
