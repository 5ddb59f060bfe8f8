import { createElement, Fragment, type ReactNode } from 'react'

const TAGS = new Set(
  'p br strong b em i u s a ul ol li h1 h2 h3 h4 blockquote code pre hr sub sup span mark'.split(' '),
)
const SAFE_LINK = /^(?:https?:|mailto:|\/(?!\/)|#)/i

function toReact(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.tagName.toLowerCase()
  if (tag === 'script' || tag === 'style') return null
  const children = [...node.childNodes].map(toReact)
  if (!TAGS.has(tag)) return <Fragment key={key}>{children}</Fragment>
  if (tag === 'br' || tag === 'hr') return createElement(tag, { key })
  const href = tag === 'a' ? node.getAttribute('href') : null
  const props = href && SAFE_LINK.test(href) ? { key, href, rel: 'noopener noreferrer' } : { key }
  return createElement(tag, props, ...children)
}

/**
 * Rich text from the server as elements of the page, never as raw HTML: what is not on the list of tags
 * loses its tag, links keep only addresses of the web, mail and this site.
 */
export function RichText({ html }: { html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <>{[...body.childNodes].map(toReact)}</>
}
