/**
 * A strict scanner for the XML headers of instrument files. It reads elements, attributes, text, comments
 * and processing instructions in one pass; it knows the five predefined entities and character references
 * only, so nothing can expand, and refuses DOCTYPE and CDATA, which the instruments never write.
 */
export interface XmlElement {
  name: string
  attributes: Map<string, string>
  children: XmlElement[]
  /** Text directly inside the element, trimmed. */
  text: string
}

/** What is wrong with a text that is no XML of the accepted kind, and where (character offset). */
export class XmlError extends Error {
  override readonly name = 'XmlError'
  readonly offset: number
  constructor(message: string, offset: number) {
    super(`${message} at ${offset}`)
    this.offset = offset
  }
}

const MAX_DEPTH = 64
const MAX_ELEMENTS = 200_000

const NAME = /[A-Za-z_:][\w:.-]*/y
const SPACE = /[ \t\r\n]*/y
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function unescapeXml(text: string, offset: number): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,8})(;?)/g, (_, name: string, end: string) => {
    if (end && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]
    const code = /^#x[0-9a-fA-F]{1,6}$/.test(name)
      ? Number.parseInt(name.slice(2), 16)
      : /^#\d{1,7}$/.test(name)
        ? Number(name.slice(1))
        : Number.NaN
    if (!end || !(code > 0 && code <= 0x10ffff)) throw new XmlError('unknown entity', offset)
    return String.fromCodePoint(code)
  })
}

/**
 * Reads one XML document and gives its root element. Time and memory grow linearly with the text.
 * @throws XmlError
 */
export function parseXml(text: string): XmlElement {
  let at = 0
  let elements = 0
  let root: XmlElement | undefined
  const open: { element: XmlElement; text: string[] }[] = []

  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const skipPast = (mark: string): void => {
    const end = text.indexOf(mark, at)
    if (end < 0) throw new XmlError(`missing ${mark}`, at)
    at = end + mark.length
  }
  const name = (): string => {
    const found = match(NAME)
    if (!found) throw new XmlError('a name was expected', at)
    return found
  }
  const attributes = (): Map<string, string> => {
    const result = new Map<string, string>()
    for (;;) {
      const spaced = match(SPACE).length > 0
      const next = text[at]
      if (next === '>' || next === '/') return result
      if (!spaced) throw new XmlError('a space was expected', at)
      const key = name()
      match(SPACE)
      if (text[at] !== '=') throw new XmlError('an equals sign was expected', at)
      at++
      match(SPACE)
      const quote = text[at]
      if (quote !== '"' && quote !== "'") throw new XmlError('a quoted value was expected', at)
      const end = text.indexOf(quote, at + 1)
      if (end < 0) throw new XmlError('unfinished attribute value', at)
      const value = text.slice(at + 1, end)
      if (value.includes('<')) throw new XmlError('unfinished attribute value', at)
      if (result.has(key)) throw new XmlError(`attribute ${key} given twice`, at)
      result.set(key, unescapeXml(value, at))
      at = end + 1
    }
  }

  const closeElement = (): void => {
    const { element, text: parts } = open.pop()!
    element.text = parts.join('').trim()
  }

  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const inner = text.slice(at, tag < 0 ? text.length : tag)
    if (open.length > 0) open[open.length - 1].text.push(unescapeXml(inner, at))
    // trim takes a byte order mark away too.
    else if (inner.trim() !== '') throw new XmlError('text outside the root element', at)
    if (tag < 0) break
    at = tag + 1
    if (text.startsWith('!--', at)) {
      at += 3
      skipPast('-->')
    } else if (text[at] === '?') {
      skipPast('?>')
    } else if (text[at] === '!') {
      throw new XmlError('declarations and CDATA are not accepted', at)
    } else if (text[at] === '/') {
      at++
      const closing = name()
      match(SPACE)
      if (text[at] !== '>') throw new XmlError('unfinished closing tag', at)
      at++
      if (open.length === 0 || open[open.length - 1].element.name !== closing)
        throw new XmlError(`unexpected closing tag ${closing}`, at)
      closeElement()
    } else {
      if (root && open.length === 0) throw new XmlError('a second root element', at)
      if (++elements > MAX_ELEMENTS) throw new XmlError('too many elements', at)
      const element: XmlElement = { name: name(), attributes: attributes(), children: [], text: '' }
      const empty = text[at] === '/'
      if (empty) at++
      if (text[at] !== '>') throw new XmlError('unfinished tag', at)
      at++
      if (open.length > 0) open[open.length - 1].element.children.push(element)
      else root = element
      if (!empty) {
        if (open.length >= MAX_DEPTH) throw new XmlError('elements nested too deep', at)
        open.push({ element, text: [] })
      }
    }
  }
  if (open.length > 0) throw new XmlError(`element ${open[open.length - 1].element.name} is not closed`, at)
  if (!root) throw new XmlError('no element', at)
  return root
}

/** The first child of that name. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((c) => c.name === name)
}

/** All children of that name, in order. */
export function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((c) => c.name === name)
}

/** Text made safe inside an attribute or an element. */
export function escapeXml(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters have no place in XML
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  )
}
