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
  ])('refuses: %s', (reason, text) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow(reason)
  })

  test.each<[string, string, number]>([
    ['', 'no element', 0],
    ['<?xml version="1.0"?> ', 'no element', 21],
    ['<a><b></b>', 'element a is not closed', 10],
    ['<a></b>', 'unexpected closing tag b', 7],
    ['</a>', 'unexpected closing tag a', 4],
    ['<a></a x>', 'unfinished closing tag', 7],
    ['<a></ a>', 'a name was expected', 5],
    ['<1a/>', 'a name was expected', 1],
    ['< a/>', 'a name was expected', 1],
    ['<a/><b/>', 'a second root element', 5],
    ['<a/>x', 'text outside the root element', 4],
    ['<a / >', 'unfinished tag', 4],
    ['<a /', 'unfinished tag', 4],
    ['<a', 'a space was expected', 2],
    ['<a x="1"y="2"/>', 'a space was expected', 8],
    ['<a 1="1"/>', 'a name was expected', 3],
    ['<a x/>', 'an equals sign was expected', 4],
    ['<a x=1/>', 'a quoted value was expected', 5],
    ['<a x="1/>', 'unfinished attribute value', 5],
    ['<a x="<"/>', 'unfinished attribute value', 5],
    ['<a x="1" x="2"/>', 'attribute x given twice', 11],
    ['<a x="&b;"/>', 'unknown entity', 5],
    ['<a>b &amp c</a>', 'unknown entity', 3],
    ['<a>b & c</a>', 'unknown entity', 3],
    ['<a>&constructor;</a>', 'unknown entity', 3],
    ['<a>&#12345678;</a>', 'unknown entity', 3],
    ['<a>&#x1234567;</a>', 'unknown entity', 3],
    ['<a>&#xg;</a>', 'unknown entity', 3],
    ['<a>&x#65;</a>', 'unknown entity', 3],
    ['<a>&#65a;</a>', 'unknown entity', 3],
    ['<a>&#x41g;</a>', 'unknown entity', 3],
    ['<a>&#65 ;</a>', 'unknown entity', 3],
    ['<a>&#1e3;</a>', 'unknown entity', 3],
    ['<a>&abc#x41;</a>', 'unknown entity', 3],
    ['<a><!-- b</a>', 'missing -->', 7],
    ['<?xml', 'missing ?>', 1],
    ['<a><![CDATA[b]]></a>', 'declarations and CDATA are not accepted', 4],
  ])('%s is refused: %s at %i', (text, reason, offset) => {
    expect(() => parseXml(text)).toThrow(new XmlError(reason, offset))
    expect(() => parseXml(text)).toThrow(expect.objectContaining({ name: 'XmlError', offset }))
  })

  test('names, blanks and characters that XML lets one write', () => {
    const root = parseXml('<_a:b-c.1\t\r\n x = "1"\ny\t=\t\'"\' ></_a:b-c.1 >\n<!----><?b?> ')
    expect(root).toEqual({
      name: '_a:b-c.1',
      attributes: new Map([
        ['x', '1'],
        ['y', '"'],
      ]),
      children: [],
      text: '',
    })
    const text = '&lt;&gt;&amp;&quot;&apos;&#233;&#xE9;&#xe9;&#x10FFFF;&#1;'
    expect(parseXml(`<a x="${text}">${text}</a>`)).toMatchObject({
      text: '<>&"\'ééé\u{10FFFF}\u0001',
      attributes: new Map([['x', '<>&"\'ééé\u{10FFFF}\u0001']]),
    })
    expect(parseXml('<a> b <!-- <c> --> d <?e <f> ?></a>').text).toBe('b  d')
  })

  test('64 elements in each other are read, and one more that is empty', () => {
    let deepest = parseXml(`${'<a>'.repeat(64)}<b/>${'</a>'.repeat(64)}`)
    for (let depth = 1; depth < 64; depth++) deepest = deepest.children[0]
    expect(deepest.children.map(({ name }) => name)).toEqual(['b'])
    expect(() => parseXml(`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`)).toThrow(
      'elements nested too deep at 195',
    )
  })

  test('200,000 elements are read', () => {
    expect(parseXml(`<a>${'<b/>'.repeat(199_999)}</a>`).children).toHaveLength(199_999)
    expect(() => parseXml(`<a>${'<b/>'.repeat(200_000)}</a>`)).toThrow('too many elements at 800000')
  })

  test('children are found by name, the first or all; nothing has none', () => {
    const root = parseXml('<a><b n="1"/><c/><b n="2"/></a>')
    expect(child(root, 'b')).toBe(root.children[0])
    expect(child(undefined, 'b')).toBeUndefined()
    expect(children(root, 'b')).toEqual([root.children[0], root.children[2]])
  })

  test('text is made safe, and characters that XML does not have are left out', () => {
    expect(escapeXml('<a b="c">&amp;\u0000\u0008\t\n\u000b\u000c\r\u000e\u001f\u0020</a>')).toBe(
      '&lt;a b=&quot;c&quot;&gt;&amp;amp;\t\n\r &lt;/a&gt;',
    )
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
