import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ESTree, type Plugin, parseSync } from 'vite'

/**
 * The English site is the French one with other texts: as it is built, every literal of a module `x.ts` that has a
 * table `en/x.json` beside it becomes what the table says. Texts with values in them are written with `{0}`, `{1}` in
 * the order in which the French text has them. So the French page carries nothing of it, and the code one language.
 */
export type EnglishTable = Record<string, string>

/** A text of a module: its literal and how tables write it. */
export interface Text {
  node: ESTree.StringLiteral | ESTree.TemplateLiteral
  text: string
}

/** What is no text for people, whatever it says. */
const NO_TEXT = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSTypeAnnotation',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeParameterInstantiation',
  'TSLiteralType',
])

/** Texts of a module, outer ones before those inside their values. @throws Error where it is not TypeScript */
export function textsOf(path: string, code: string): Text[] {
  const { program, errors } = parseSync(basename(path), code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const found: Text[] = []
  collect(program as unknown as AnyNode, null, '', found)
  return found.sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end)
}

type AnyNode = { type: string } & Record<string, unknown>
const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && typeof (value as AnyNode).type === 'string'

function collect(node: AnyNode, parent: AnyNode | null, key: string, found: Text[]): void {
  if (NO_TEXT.has(node.type) || (parent?.type === 'ExportNamedDeclaration' && key === 'source')) return
  if (node.type === 'Literal') {
    if (typeof node.value === 'string' && isText(parent, key))
      found.push({ node: node as unknown as ESTree.StringLiteral, text: node.value })
    return
  }
  if (node.type === 'TemplateLiteral' && parent?.type !== 'TaggedTemplateExpression') {
    const template = node as unknown as ESTree.TemplateLiteral
    const text = template.quasis
      .map(({ value }, k) => `${value.cooked}${k < template.expressions.length ? `{${k}}` : ''}`)
      .join('')
    found.push({ node: template, text })
  }
  for (const [name, child] of Object.entries(node))
    for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) collect(one, node, name, found)
}

/** Keys, comparisons and directives are the program's own. */
function isText(parent: AnyNode | null, key: string): boolean {
  switch (parent?.type) {
    case 'Property':
      return key !== 'key' || parent.computed === true
    case 'BinaryExpression':
      return !/[=<>]|^in/.test(String(parent.operator))
    case 'MemberExpression':
    case 'SwitchCase':
    case 'ExpressionStatement':
      return false
    default:
      return true
  }
}

/** The module with its texts in English. A text that the table lacks stays. */
export function inEnglish(path: string, code: string, table: EnglishTable): string {
  const texts = textsOf(path, code)
  const written = (from: number, to: number): string => {
    let out = ''
    let at = from
    for (const { node, text } of texts) {
      if (node.start < at || node.end > to) continue
      const english = Object.hasOwn(table, text) ? table[text] : undefined
      if (english === undefined && node.type === 'Literal') continue
      out += code.slice(at, node.start)
      at = node.end
      if (node.type === 'Literal') out += JSON.stringify(english)
      else {
        const values = node.expressions.map((value) => written(value.start, value.end))
        out += `\`${template(english ?? text, values)}\``
      }
    }
    return out + code.slice(at, to)
  }
  return written(0, code.length)
}

const template = (text: string, values: readonly string[]): string =>
  text
    .split(/\{(\d+)\}/)
    .map((part, k) => (k % 2 === 1 ? `\${${values[Number(part)]}}` : part.replace(/[`\\]|\$(?=\{)/g, '\\$&')))
    .join('')

const tableOf = (path: string): string =>
  join(dirname(path), 'en', `${basename(path).replace(/\.\w+$/, '')}.json`)

export const readTable = (path: string): EnglishTable => JSON.parse(readFileSync(path, 'utf8'))

/** What the server says, and packages that run in the browser as well. */
const MESSAGES = join(import.meta.dirname, '../../packages/locale/src/en/messages.json')
const SHARED = /\/packages\/(?:contracts|rainfall|hydrology|formats)\/src\//

/** Builds the English site beside the French one: `index.en.html` and the scripts that it names. */
export function english(): Plugin {
  return {
    name: 'radx-english',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      const path = id.split('?', 1)[0]
      if (!/\.tsx?$/.test(path) || path.includes('node_modules')) return null
      const own = tableOf(path)
      const table = {
        ...(SHARED.test(path) ? readTable(MESSAGES) : {}),
        ...(existsSync(own) ? readTable(own) : {}),
      }
      return Object.keys(table).length === 0 ? null : { code: inEnglish(path, code, table), map: null }
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) =>
        Object.entries(readTable(join(import.meta.dirname, 'en', 'index.json'))).reduce(
          (text, [french, words]) => {
            if (!text.includes(french)) throw new Error(`${path} no longer says ${french}`)
            return text.replace(french, words)
          },
          html,
        ),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (/^(?:index\.html|\.first-page|\.other-pages)$/.test(file.fileName))
            file.fileName = file.fileName.replace(/(\.html)?$/, '.en$1')
      },
    },
  }
}
