import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs/guide')
const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

/** As one would look for it: any space, any apostrophe. */
const plain = (text: string) =>
  text
    .replace(/[\u00a0\u202f]/g, ' ')
    .replaceAll('’', "'")
    .toLowerCase()

function sourcesOf(path: string): string {
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => plain(readFileSync(join(root, path, name), 'utf8')))
    .join('\n')
}

test('each button, part and run that the guide names is on a screen under that name', () => {
  const shown = ['apps/web/src', 'apps/server/src/simulation'].map(sourcesOf).join('\n')
  // Put together by the page, of a number or of two texts.
  const known = [/^fiable jusqu'à \d+ min aujourd'hui$/, /^orage de 60 mm, /, /^référence, orage/]
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/\*\*([^*]+)\*\*|« ([^»]+) »/g)].map(([, bold, quoted]) =>
      plain(bold ?? quoted).trim(),
    ),
  )
  expect(named.length).toBeGreaterThan(30)
  const missing = named.filter((name) => !shown.includes(name) && !known.some((like) => like.test(name)))
  expect(missing).toEqual([])
})

test('each link of the guide leads to a screen and each picture is there', () => {
  const screens = readFileSync(join(root, 'apps/web/src/app/screens.ts'), 'utf8')
  const links = pages.flatMap(({ text }) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to))
  const lost = links.filter((to) => {
    if (to.startsWith('images/')) return !existsSync(join(folder, to))
    const help = /^\/aide\/(\w+)$/.exec(to)
    if (help) return !existsSync(join(folder, `${help[1]}.md`))
    return !screens.includes(`path: '${to.split('?')[0]}'`)
  })
  expect(links.length).toBeGreaterThan(15)
  expect(lost).toEqual([])
})
