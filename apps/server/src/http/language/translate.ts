import { readFileSync } from 'node:fs'

/** Messages of the server in English, by what the code says in French; `{0}`, `{1}` stand for values. */
const TABLE: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../../../../packages/locale/src/en/messages.json', import.meta.url), 'utf8'),
)

interface Template {
  /** The longest piece that every such message has. */
  mark: string
  pattern: RegExp
  english: string
}

const LETTERS = /\p{L}/gu
const EXACT = new Map(Object.entries(TABLE).filter(([french]) => !/\{\d\}/.test(french)))
const TEMPLATES = Object.entries(TABLE).flatMap(([french, english]) => templateOf(french, english))
/** Values that are messages themselves hold others no deeper than this. */
const DEEPEST = 4
/** Answers repeat themselves. */
const MOST_KEPT = 2_000
const kept = new Map<string, string>()

/** A template of hardly any words would take every text for its own. */
function templateOf(french: string, english: string): Template[] {
  if (!/\{\d\}/.test(french)) return []
  const pieces = french.split(/\{\d+\}/)
  const mark = pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest))
  if ((mark.match(LETTERS)?.length ?? 0) < 3) return []
  const pattern = new RegExp(
    `^${pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([\\s\\S]*?)')}$`,
  )
  return [{ mark, pattern, english }]
}

/** A message of the server in English; a text that is none of its messages stays as it is. */
export function messageInEnglish(text: string): string {
  if (text.length > 20_000) return text
  const known = kept.get(text)
  if (known !== undefined) return known
  const english = translated(text, 0)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(text, english)
  return english
}

function translated(text: string, depth: number): string {
  const exact = EXACT.get(text)
  if (exact !== undefined || depth > DEEPEST || !/\p{L}{2}/u.test(text)) return exact ?? text
  let best: { template: Template; values: string[] } | null = null
  for (const template of TEMPLATES) {
    if (!text.includes(template.mark) || (best && best.template.mark.length >= template.mark.length)) continue
    const match = template.pattern.exec(text)
    if (match) best = { template, values: match.slice(1) }
  }
  if (best) {
    const values = best.values.map((value) => translated(value, depth + 1))
    return best.template.english.replace(/\{(\d+)\}/g, (_, k) => values[Number(k)])
  }
  // Several messages in a row.
  const pieces = text.split(/(\s:\s|(?<=[.!?;:])\s+|\n+)/)
  const english = pieces.map((piece, k) => (k % 2 === 0 ? translated(piece, depth + 1) : piece))
  if (english.every((piece, k) => piece === pieces[k])) return text
  return english.map((piece) => piece.replace(/^\s:(?=\s)/, ':')).join('')
}

/** An answer with its messages in English, whatever they are called in it. Numbers and bytes are not looked at. */
export function answerInEnglish<T>(value: T): T {
  if (typeof value === 'string') return messageInEnglish(value) as T
  if (Array.isArray(value))
    return (typeof value[0] === 'number' ? value : value.map((one) => answerInEnglish(one))) as T
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, answerInEnglish(one)])) as T
}
