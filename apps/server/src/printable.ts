/**
 * A text that somebody typed, for a terminal or a line of a table: control characters, and those that turn the direction
 * of writing, become a replacement character. They could forge a line, or drive the terminal of whoever reads it.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD')
