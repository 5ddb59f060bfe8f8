import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { answerInEnglish, messageInEnglish } from '../apps/server/src/http/language/translate.ts'
import { inEnglish, readTable, textsOf } from '../apps/web/english-plugin.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const tableOf = (path: string) => join(dirname(path), 'en', `${basename(path, '.ts')}.json`)
const isWords = (text: string) => /\p{L}/u.test(text)
const placeholders = (text: string) => (text.match(/\{\d+\}/g) ?? []).sort()

const TEXTS = globSync('apps/web/src/texts/*.ts', { cwd: ROOT }).filter(
  (path) => !/\.test\.ts$|typography\.ts$/.test(path),
)

test.each(TEXTS)('every text of %s has its English, and no other', (path) => {
  const wanted = new Set(
    textsOf(path, read(path))
      .map(({ text }) => text)
      .filter(isWords),
  )
  const table = existsSync(join(ROOT, tableOf(path))) ? readTable(join(ROOT, tableOf(path))) : {}
  expect({
    missing: [...wanted].filter((text) => !Object.hasOwn(table, text)),
    unused: Object.keys(table).filter((text) => !wanted.has(text)),
  }).toEqual({ missing: [], unused: [] })
})

/** Files of texts for people, beside those of the pages. */
const TABLES = globSync(['apps/web/src/**/en/*.json', 'packages/*/src/**/en/*.json'], { cwd: ROOT })

test('tables keep the values of a text, and say nothing in French', () => {
  const faults = TABLES.flatMap((path) =>
    Object.entries(readTable(join(ROOT, path))).flatMap(([french, english]) =>
      placeholders(french).join() !== placeholders(english).join()
        ? [`${path}: ${french} loses values`]
        : /[«»]|[a-zé] [;:!?]/.test(english) || /\s(une|avec|dans|aucun)\s/.test(english)
          ? [`${path}: ${english}`]
          : [],
    ),
  )
  expect(faults).toEqual([])
})

test('tables of other modules name texts that these have', () => {
  const unknown = TABLES.filter((path) => !path.endsWith('/messages.json')).flatMap((path) => {
    const source = join(dirname(dirname(path)), basename(path, '.json'))
    const file = ['.ts', '.tsx'].map((end) => source + end).find((name) => existsSync(join(ROOT, name)))
    if (file === undefined) return [`${path}: no module`]
    const has = new Set(textsOf(file, read(file)).map(({ text }) => text))
    return Object.keys(readTable(join(ROOT, path)))
      .filter((text) => !has.has(text))
      .map((text) => `${path}: ${text}`)
  })
  expect(unknown).toEqual([])
})

/** What looks French to a reader: its letters and quotation marks. */
const FRENCH = /[éèàêùçœ’«»ôîâ]/i
/** Commands speak to whoever runs the machine, reports and drawn pictures are files, and demonstrations data. */
const FRENCH_STAYS =
  /\/(?:cli|reports|demo|testing|migrations|backup|metrics|logging|en)\/|\.test\.ts$|(?:routes|writer|words|places|names|demo-runs|market-classes|report|state-bytes|state-file|intervals|resume|rain-source)\.ts$|contracts\/src\/(?:landuse|radar|jobs|constants|measures-constants|site|events)\.ts$/

test('messages of the server have their English', () => {
  const table = readTable(join(ROOT, 'packages/locale/src/en/messages.json'))
  const sources = globSync(
    [
      'apps/server/src/**/errors.ts',
      'apps/server/src/{http,jobs,accounts,exports,networks,simulation,builder,gauges,shapefiles,events,alerts}/**/*.ts',
      'packages/{contracts,formats,rainfall,hydrology,polarimetry}/src/**/*.ts',
    ],
    { cwd: ROOT },
  ).filter((path) => !FRENCH_STAYS.test(path))
  const thrown = sources.flatMap((path) => messagesOf(path).map((text) => ({ path, text })))
  expect(thrown.length).toBeGreaterThan(100)
  expect(
    thrown.filter(({ text }) => !Object.hasOwn(table, text)).map(({ path, text }) => `${path}: ${text}`),
  ).toEqual([])
})

/** French texts that a module gives to an error as it makes it. */
function messagesOf(path: string): string[] {
  const code = read(path)
  const made = [
    ...code.matchAll(/new (?:RadxError|NotFound|BadRequest|Forbidden|TooManyRequests|[A-Z]\w*Error)\(/g),
  ].map(({ index }) => [index, endOf(code, index + code.slice(index).indexOf('('))] as const)
  return textsOf(path, code)
    .filter(
      ({ node, text }) =>
        FRENCH.test(text) && / /.test(text) && made.some(([from, to]) => node.start > from && node.end < to),
    )
    .map(({ text }) => text)
}

function endOf(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++
    else if (code[at] === ')' && --depth === 0) return at
  }
  return code.length
}

test('a module is written in English with its values in the places that the table gives them', () => {
  const code = (of: string, text: string) =>
    `import x from 'eau'\nexport const t = { eau: ${text}, of: (a: string, b: number) => ${of}, key: a === 'eau' }`
  const table = { eau: 'water', '{0} sur {1}': '{1} `of` {0}', un: 'one' }
  expect(inEnglish('texts.ts', code(`\`\${b} sur \${a ? 'un' : 'autre'}\``, "'eau'"), table)).toBe(
    code(`\`\${a ? "one" : 'autre'} \\\`of\\\` \${b}\``, '"water"'),
  )
})

test('answers are told in English, down to the values of a message; names and numbers stay', () => {
  expect(messageInEnglish('Champ « title » : Le titre ne peut dépasser 200 caractères.')).toBe(
    'Field “title”: The title may not exceed 200 characters.',
  )
  const answer = {
    code: 'request.invalid',
    message: "Le compte « le bassin » n'existe pas. radx user list donne les comptes.",
    rows: [
      [1, 2],
      [3, 4],
    ],
    name: 'Le Bourg des eaux',
    when: new Date(0),
  }
  expect(answerInEnglish(answer)).toEqual({
    ...answer,
    message: 'The account “le bassin” does not exist. radx user list gives the accounts.',
  })
})
