import { fr } from '../../texts/typography.ts'

/**
 * The little of Markdown that the guide is written in: headings, paragraphs, lists, pictures that stand alone, strong,
 * code and links. What it does not know stays as it was typed, escaped. Text gets the typography of our other texts.
 */

export type Block = { kind: 'html'; html: string } | { kind: 'picture'; path: string; text: string }

/** The first heading and what follows it. @throws Error without a title */
export function readGuide(markdown: string): { title: string; blocks: Block[] } {
  const [first, ...rest] = markdown.trim().split(/\n{2,}/)
  const title = /^# (.+)$/.exec(first)?.[1]
  if (!title) throw new Error('a page of the guide begins with its title')
  const blocks: Block[] = []
  for (const chunk of rest) {
    const picture = /^!\[([^\]]+)\]\(([^)\s]+)\)$/.exec(chunk)
    if (picture) blocks.push({ kind: 'picture', text: fr(plain(picture[1])), path: picture[2] })
    else {
      const html = blockOf(chunk)
      const last = blocks.at(-1)
      if (last?.kind === 'html') last.html += html
      else blocks.push({ kind: 'html', html })
    }
  }
  return { title: fr(plain(title)), blocks }
}

function blockOf(chunk: string): string {
  const heading = /^(#{2,3}) (.+)$/.exec(chunk)
  if (heading) return `<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`
  const lines = chunk.split('\n')
  if (/^1\. /.test(chunk)) return `<ol>${itemsOf(lines, /^\d+\. /)}</ol>`
  if (/^- /.test(chunk)) return `<ul>${itemsOf(lines, /^- /)}</ul>`
  return `<p>${inline(lines.join(' '))}</p>`
}

/** A line that begins like none goes on with the one before. */
function itemsOf(lines: readonly string[], mark: RegExp): string {
  const items: string[] = []
  for (const line of lines)
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else items[items.length - 1] += ` ${line.trim()}`
  return items.map((item) => `<li>${inline(item)}</li>`).join('')
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)

function inline(text: string): string {
  return plain(text)
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part)
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : escaped(fr(part))
            .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
            .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>'),
    )
    .join('')
}
