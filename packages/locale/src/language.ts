/** The language of this program's texts; the English site is built with the other (apps/web/english-plugin.ts). */
export const LANGUAGE = 'fr' as 'fr' | 'en'

/** How numbers, dates and orders of names are written in it. */
export const LOCALE = 'fr-FR'
