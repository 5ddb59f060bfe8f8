import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { child, children, escapeXml, parseXml, XmlError } from './xml.ts'

describe('XML headers', () => {
  test('elements, attributes, text, comments and instructions', () => {
    const root = parseXml(
      `\ufeff<?xml version="1.0"?><!-- a < b --><a x="1" y='two &amp; &#233;&#xe9;'>\n <b/>text <b n="2">in</b> more</a>\n`,
    )
    expect([root.name, root.attributes.get('x'), root.attributes.get('y'), root.text]).toEqual([
      'a',
      '1',
      'two & éé',
      'text  more',
    ])
    expect(children(root, 'b').map((b) => [b.attributes.get('n'), b.text])).toEqual([
      [undefined, ''],
      ['2', 'in'],
    ])
    expect(child(root, 'c')).toBeUndefined()
  })

  test.each([
    ['no element', ''],
    ['not closed', '<a>'],
    ['unexpected closing tag', '<a></b>'],
    ['second root', '<a/><b/>'],
    ['given twice', '<a x="1" x="2"/>'],
    ['quoted value', '<a x=1/>'],
    ['space', '<a x="1"y="2"/>'],
    ['unfinished attribute', '<a x="<b>"/>'],
    ['unknown entity', '<a>&nbsp;</a>'],
    ['unknown entity', '<a>&#0;</a>'],
    ['unknown entity', '<a>&#x110000;</a>'],
    ['declarations', '<!DOCTYPE a [<!ENTITY b "c">]><a/>'],
    ['declarations', '<a><![CDATA[b]]></a>'],
    ['missing -->', '<a><!-- b</a>'],
    ['outside the root', 'text<a/>'],
    ['nested too deep', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`],
    ['too many elements', `<a>${'<b/>'.repeat(200_001)}</a>`],
  ])('refuses: %s', (reason, text) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow(reason)
  })

  test('any text is read or refused, and never fails otherwise', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '</a>',
      '<a',
      ' x="',
      '"',
      '=',
      '&',
      ';',
      '&lt;',
      '<!--',
      '-->',
      '<?',
      '?>',
      'a',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parseXml(pieces.join(''))
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError)
        }
      }),
      { seed: 206, numRuns: 2000 },
    )
  })

  test('escaped text comes back as it was', () => {
    const printable = fc.string().map((s) => s.trim())
    fc.assert(
      fc.property(printable, (text) => {
        expect(parseXml(`<a x="${escapeXml(text)}"/>`).attributes.get('x')).toBe(text)
      }),
      { seed: 206 },
    )
  })
})
