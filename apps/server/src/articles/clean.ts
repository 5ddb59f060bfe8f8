import sanitizeHtml from 'sanitize-html'

/** What the editor's toolbar can make, and nothing more. No tag here loads, runs or styles anything. */
const TAGS = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'strong',
  'em',
  'u',
  's',
  'ul',
  'ol',
  'li',
  'blockquote',
  'code',
  'a',
]

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 12,
  transformTags: {
    b: 'strong',
    i: 'em',
    del: 's',
    strike: 's',
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (_name, attributes) => ({
      tagName: 'a',
      attribs: {
        ...(attributes.href === undefined ? {} : { href: attributes.href }),
        target: '_blank',
        rel: 'noopener noreferrer',
      },
    }),
  },
}

/**
 * HTML of the home message as it may be stored and shown: only TAGS without attributes, links to http,
 * https and mailto addresses that open apart. Everything else goes, scripts and styles with their text.
 * Cleaning twice changes nothing.
 */
export function cleanHtml(html: string): string {
  return sanitizeHtml(html.replaceAll('\0', ''), OPTIONS).trim()
}

/** Whether a cleaned text shows nothing, such as the `<p></p>` of an emptied editor. */
export function isBlank(html: string): boolean {
  return html.replace(/<(?!hr)[^<>]*>|&nbsp;|\s/g, '') === ''
}
