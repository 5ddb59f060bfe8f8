import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanHtml, isBlank } from './clean.ts'
import { XSS_CORPUS } from './testing/xss-corpus.ts'

/** The whole language that cleaned text may use, read without an HTML parser. */
const TAG =
  /<\/?(?:p|h[234]|strong|em|u|s|ul|ol|li|blockquote|code)>|<\/a>|<(?:br|hr) ?\/?>|<a(?: href="(?:https?:\/\/|mailto:|[^"<>:]*(?=["/?#]))[^"<>]*")? target="_blank" rel="noopener noreferrer">/g

const leftover = (html: string) => html.replace(TAG, '')

describe('the home message is cleaned against a strict list', () => {
  test.each(XSS_CORPUS)('%s', (payload) => {
    const clean = cleanHtml(payload)
    expect(leftover(clean)).not.toMatch(/[<>]/)
    expect(clean).not.toMatch(/href="[^"]*(?:javascript|vbscript|data:|blob:|file:)/i)
    expect(clean).not.toMatch(/href="\s*[\\/]{2}/)
    expect(cleanHtml(clean)).toBe(clean)
  })

  test('whatever the pieces are put together to, nothing outside the list comes through', () => {
    const piece = fc.oneof(
      fc.constantFrom(...XSS_CORPUS.filter((text) => text.length < 500)),
      fc.constantFrom('<', '>', '"', "'", '=', '/', '<!--', '-->', '<p', '<a href=', ' on', '&', '&#', ';'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const clean = cleanHtml(pieces.join(''))
        expect(leftover(clean)).not.toMatch(/[<>]/)
        expect(cleanHtml(clean)).toBe(clean)
      }),
      { numRuns: 1500, seed: 20261121 },
    )
  })

  test('what the editor makes is kept as it is', () => {
    const html =
      '<h2>Maintenance</h2><p>Le radar est <strong>arrêté</strong> <em>mardi</em>, <u>sauf</u> <s>orage</s>.<br />Suite :</p>' +
      '<ul><li><p>un</p></li></ul><ol><li><p>deux</p></li></ol><blockquote><p>cité</p></blockquote><hr />' +
      '<p><a href="https://hmco.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">lien</a> <code>dpsri</code></p>'
    expect(cleanHtml(html)).toBe(html)
  })

  test('a link that wants to reuse our window is made to open apart', () => {
    expect(cleanHtml('<a href="https://a.example/" target="_top" rel="opener">x</a>')).toBe(
      '<a href="https://a.example/" target="_blank" rel="noopener noreferrer">x</a>',
    )
  })

  test('an emptied editor is blank, a lone rule is not', () => {
    expect(isBlank(cleanHtml('<p></p>'))).toBe(true)
    expect(isBlank(cleanHtml('<p> &nbsp;<br></p><script>x</script>'))).toBe(true)
    expect(isBlank(cleanHtml('<p>.</p>'))).toBe(false)
    expect(isBlank(cleanHtml('<hr>'))).toBe(false)
  })
})
