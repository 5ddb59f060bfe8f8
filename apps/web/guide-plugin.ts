import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { type Block, readGuide } from './src/features/guide/markdown.ts'

/** A page of the guide as the browser gets it. */
export interface GuidePage {
  title: string
  blocks: (
    | Extract<Block, { kind: 'html' }>
    | { kind: 'picture'; text: string; src: string; width: number; height: number }
  )[]
}

/**
 * Makes each `docs/guide/*.md` a module: the page is rendered as the site is built, its pictures go along. The English
 * site takes the text of that name in `docs/guide/en`.
 */
export function guidePages(inEnglish = false): Plugin {
  return {
    name: 'radx-guide',
    transform(code, id) {
      if (!/\/docs\/guide\/[^/]+\.md$/.test(id)) return null
      const { title, blocks } = readGuide(
        inEnglish ? readFileSync(join(dirname(id), 'en', basename(id)), 'utf8') : code,
      )
      const imports: string[] = []
      const parts = blocks.map((block) => {
        if (block.kind === 'html') return JSON.stringify(block)
        const path = join(dirname(id), block.path)
        const name = `picture${imports.length}`
        imports.push(`import ${name} from ${JSON.stringify(path)}`)
        const size = webpSize(readFileSync(path))
        return `{ kind: 'picture', text: ${JSON.stringify(block.text)}, src: ${name}, ...${JSON.stringify(size)} }`
      })
      return {
        code: `${imports.join('\n')}\nexport default { title: ${JSON.stringify(title)}, blocks: [${parts.join(', ')}] }`,
        map: null,
        moduleType: 'js',
      }
    },
  }
}

/** Width and height of a WebP in pixels (RFC 9649, sections 2.5 and 2.7.1). @throws Error for other files */
export function webpSize(bytes: Buffer): { width: number; height: number } {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  throw new Error('a picture of the guide is no lossy WebP')
}
