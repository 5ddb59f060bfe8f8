import type { InpDocument, InpSection } from './lines.ts'

/** Writes a document again, comments and order kept. */
export function writeInp(document: InpDocument): string {
  const out = [...document.preamble]
  for (const section of document.sections) {
    out.push(`[${section.name}]`, ...section.text)
    if (section.text[section.text.length - 1]?.trim() !== '') out.push('')
  }
  return `${out.join('\n').replace(/(?<!\n)\n+$/, '')}\n`
}

/**
 * A copy in which a section holds these rows instead (added at the end when the file has none). Words with
 * blanks are quoted.
 */
export function withSection(document: InpDocument, name: string, rows: (string | number)[][]): InpDocument {
  const quote = (word: string | number) =>
    /[\s;]/.test(String(word)) || word === '' ? `"${word}"` : String(word)
  const text = rows.map((row) => row.map(quote).join('\t'))
  const section: InpSection = {
    name,
    line: 0,
    text: [...text, ''],
    lines: rows.map((row) => ({ number: 0, words: row.map(String) })),
  }
  const at = document.sections.findIndex((known) => known.name === name)
  const sections = document.sections.filter((known, i) => known.name !== name || i === at)
  if (at < 0) sections.push(section)
  else sections[at] = section
  return { ...document, sections }
}
