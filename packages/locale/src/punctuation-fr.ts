import { LANGUAGE } from './language.ts'

const NBSP = '\u00a0'
const THIN = '\u202f'

/**
 * French spaces that do not break before high punctuation and inside guillemets, and nothing else: for sentences that
 * may quote names and the specification.
 */
export const punctuated = (text: string): string =>
  LANGUAGE === 'en'
    ? text
    : text
        .replace(/« /g, `«${NBSP}`)
        .replace(/ »/g, `${NBSP}»`)
        .replace(/ :/g, `${NBSP}:`)
        .replace(/ ([;?!])/g, `${THIN}$1`)
