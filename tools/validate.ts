/**
 * `npm run validate [-- NAME...]`: computes every figure of docs/validation.md anew from tools/validation/NAME.ts
 * and writes the page. With names, only those sections are computed; the others keep what stands there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ValidationSection } from './validation/section.ts'

const root = resolve(import.meta.dirname, '..')
const page = join(root, 'docs/validation.md')
const INTRODUCTION = [
  '# Validation',
  '',
  'What the computations are held against. The figures are written by `npm run validate`, or by hand where a section',
  'says so; the tests hold the bounds. Reference data stand beside the checkout in `../shared/data`.',
  '',
]

const folder = join(root, 'tools/validation')
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'section.ts' && !name.startsWith('_'))
  .map((name) => name.slice(0, -'.ts'.length))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`Section inconnue : ${unknown.join(', ')}. Sections : ${known.join(', ')}.`)
  process.exit(64)
}

/** Text of each section that stands on the page, by title. */
function standing(): Map<string, string> {
  if (!existsSync(page)) return new Map()
  const parts = readFileSync(page, 'utf8').split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).trim()]),
  )
}

const kept = standing()
const sections: Array<{ title: string; order: number; text: string }> = []
for (const name of known) {
  const { section }: { section: ValidationSection } = await import(join(folder, `${name}.ts`))
  const old = kept.get(section.title)
  if (wanted.length > 0 && !wanted.includes(name)) {
    if (old !== undefined) sections.push({ ...section, text: old })
    continue
  }
  console.log(section.title)
  sections.push({ ...section, text: (await section.run()).join('\n').trim() })
}
// What no section here writes stays as it stands.
for (const [title, text] of kept)
  if (!sections.some((section) => section.title === title))
    sections.push({ title, text, order: Number.POSITIVE_INFINITY })
sections.sort((a, b) => a.order - b.order)
const body = sections.map(({ title, text }) => `## ${title}\n\n${text}\n`)
writeFileSync(page, `${INTRODUCTION.join('\n')}\n${body.join('\n')}`)
console.log(`écrit : ${page}`)
