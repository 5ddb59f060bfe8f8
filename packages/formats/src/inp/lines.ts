import { FormatError } from '@radx/contracts'
import type { CodeOf } from '@radx/contracts/errors'

/** A line that carries data: its words and where it stands. */
export interface InpLine {
  /** 1-based. */
  number: number
  words: string[]
}

/** A section as it stands in the file; `text` keeps every line, comments and blanks included. */
export interface InpSection {
  /** In capitals, without brackets. */
  name: string
  line: number
  text: string[]
  lines: InpLine[]
}

/** An `.inp` file in its own order, ready to be written again. */
export interface InpDocument {
  file: string
  /** Lines before the first section. */
  preamble: string[]
  sections: InpSection[]
}

/** Larger files are refused before they are decoded. */
export const INP_MAX_BYTES = 128 * 1024 * 1024
/** EPA SWMM reads 1,024 characters a line; longer than this is no network. */
const MAX_LINE = 65_536

/** Refusal of a file: says file, line and what to do. */
export function refuse(file: string, line: number, code: CodeOf<'inp'>, messageFr: string): FormatError {
  return new FormatError(`inp.${code}`, `${file}, ligne ${line} : ${messageFr}`, { details: { file, line } })
}

/**
 * Splits a file into sections and words, in one pass.
 * @throws FormatError when it is too large, binary or has no section
 */
export function splitInp(input: string | Uint8Array, file: string): InpDocument {
  const text = typeof input === 'string' ? input : decode(input, file)
  const document: InpDocument = { file, preamble: [], sections: [] }
  let section: InpSection | null = null
  let number = 0
  let start = 0
  while (start <= text.length) {
    let end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    const raw = text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end)
    start = end + 1
    number++
    if (raw.length > MAX_LINE)
      throw refuse(
        file,
        number,
        'line',
        `ligne de ${raw.length} caractères. Un réseau SWMM a des lignes courtes : vérifiez que c'est bien un fichier .inp.`,
      )
    const data = stripComment(raw)
    if (data.startsWith('[')) {
      const close = data.indexOf(']')
      const name = data
        .slice(1, close < 0 ? undefined : close)
        .trim()
        .toUpperCase()
      section = { name, line: number, text: [], lines: [] }
      document.sections.push(section)
      continue
    }
    if (!section) {
      if (data !== '')
        throw refuse(
          file,
          number,
          'section',
          "du texte avant toute section entre crochets. Ce n'est pas un fichier .inp de SWMM, ou son début manque.",
        )
      document.preamble.push(raw)
      continue
    }
    section.text.push(raw)
    if (data !== '' && section.name !== 'TITLE') section.lines.push({ number, words: splitWords(data) })
  }
  if (document.sections.length === 0)
    throw refuse(
      file,
      1,
      'empty',
      'aucune section entre crochets. Choisissez un fichier .inp de SWMM, avec [JUNCTIONS], [CONDUITS], etc.',
    )
  return document
}

function decode(bytes: Uint8Array, file: string): string {
  if (bytes.length > INP_MAX_BYTES)
    throw refuse(
      file,
      1,
      'size',
      `${Math.round(bytes.length / 1048576)} Mo, plus que les ${INP_MAX_BYTES / 1048576} Mo acceptés. Retirez les séries et les commentaires inutiles, ou découpez le réseau.`,
    )
  const binary = bytes.indexOf(0)
  if (binary >= 0) {
    let line = 1
    for (let i = 0; i < binary; i++) if (bytes[i] === 10) line++
    throw refuse(
      file,
      line,
      'binary',
      'des octets nuls : ce fichier est binaire ou en UTF-16. Enregistrez le réseau en texte (.inp, UTF-8).',
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Older files of Windows programs.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function stripComment(raw: string): string {
  const comment = raw.indexOf(';')
  return (comment < 0 ? raw : raw.slice(0, comment)).trim()
}

/** Words between blanks; double quotes hold blanks together. */
function splitWords(data: string): string[] {
  if (!data.includes('"')) return data.split(/[ \t]+/)
  const words: string[] = []
  const pattern = /"([^"]*)"?|[^ \t"]+/g
  for (const match of data.matchAll(pattern)) words.push(match[1] ?? match[0])
  return words
}
