import { z } from 'zod'

/**
 * Sizes of what the calls carry. Nothing in a contract is without a bound (bounds.test.ts): a schema of input says its
 * own where a person or a page decides on it; these hold for everything else.
 */
export const SHORT_TEXT_MAX = 1_024
export const LONG_TEXT_MAX = 100_000
/** Grids as text and pictures in base64: those of four million cells. */
export const GRID_TEXT_MAX = 2 ** 26
/** Rows of the longest answer: painted cells, links of a network, values of a series. */
export const LIST_MAX = 5_000_000

/** How a key or an id is written, in words. */
export const keyWords = (max: number) =>
  `commencer par une lettre minuscule, puis des lettres minuscules, des chiffres et des tirets, ${max} signes au plus`

/** A name, an id, a title, an address. */
export const shortText = () => z.string().max(SHORT_TEXT_MAX)
/** A comment, a message, a description. */
export const longText = () => z.string().max(LONG_TEXT_MAX)
/** A grid as text, or a picture in base64. */
export const gridText = () => z.string().max(GRID_TEXT_MAX)
/** Any number of items that a run, a selection or a site may have. */
export const list = <T extends z.ZodType>(item: T) => z.array(item).max(LIST_MAX)
