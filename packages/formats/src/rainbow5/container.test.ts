import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import { openRainbow5, readBlob } from './container.ts'

const HEAD = '<product name="é"><data/></product>\n<!-- END XML -->\n'
const bytes = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const open = (...parts: (string | Buffer)[]) => openRainbow5(bytes(...parts))
const plain = (id: number, content: string) =>
  `<BLOB blobid="${id}" size="${content.length}">\n${content}\n</BLOB>\n`
/** A block whose zlib stream is announced to be this long. */
const packed = (content: Buffer, announced = content.length) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(announced)
  const block = Buffer.concat([length, deflateSync(content)])
  return bytes(`<BLOB blobid="0" size="${block.length}" compression="qt">\n`, block, '\n</BLOB>')
}

describe('what is a Rainbow 5 file', () => {
  test.each([
    ['<product', HEAD],
    ['<volume', '<volume version="5"/><!-- END XML -->'],
    ['an XML declaration', `<?xml version="1.0"?>${HEAD}`],
    ['blanks before it', `\r\n  ${HEAD}`],
  ])('one that begins with %s', (_, text) => {
    expect(open(text).root.name).toMatch(/^(product|volume)$/)
  })
  test.each([
    ['another root', '<products/><!-- END XML -->'],
    ['text before it', `x${HEAD}`],
    ['binary', '\u0089HDF\r\n'],
    ['blanks only', '   '],
  ])('not one of %s', (_, text) => {
    const error = refusal(() => open(text))
    expect(error.code).toBe('rainbow5.notRainbow5')
    expect(error.message).toContain("n'est pas au format Rainbow 5")
    expect(error.message).toContain('le dossier où il a été déposé')
  })
  test('one that begins with a byte order mark', () => {
    expect(openRainbow5(Buffer.from(`\ufeff${HEAD}`, 'utf8')).root.name).toBe('product')
  })
  test('nor an empty one or one beyond the size', () => {
    expect(refusal(() => openRainbow5(new Uint8Array())).code).toBe('rainbow5.empty')
    const large = Buffer.alloc(64 * 2 ** 20 + 1)
    expect(refusal(() => openRainbow5(large)).code).toBe('rainbow5.tooLarge')
  })
  test('it may stand in the middle of a larger buffer', () => {
    const whole = bytes('xxxx', HEAD, plain(1, 'abc'))
    const part = new Uint8Array(whole.buffer, whole.byteOffset + 4, whole.length - 4)
    expect(openRainbow5(part).blobs.get(1)?.bytes.toString()).toBe('abc')
  })
})

describe('the header', () => {
  test('is XML up to its mark, in UTF-8 or Latin-1', () => {
    expect(open(HEAD).root.attributes.get('name')).toBe('é')
    expect(openRainbow5(Buffer.from(HEAD, 'utf8')).root.attributes.get('name')).toBe('é')
    expect(open(HEAD).blobs.size).toBe(0)
  })
  test('without its mark is cut short', () => {
    const error = refusal(() => open('<product/>'))
    expect(error.code).toBe('rainbow5.truncated')
    expect(error.message).toContain("son en-tête n'a pas de fin")
    expect(error.message).toContain('depuis le radar')
    // The mark is looked for in the first 8 MiB.
    const late = refusal(() => open('<product>', ' '.repeat(8 * 2 ** 20), '</product><!-- END XML -->'))
    expect(late.code).toBe('rainbow5.truncated')
    expect(open('<product>', ' '.repeat(7 * 2 ** 20), '</product><!-- END XML -->').root.name).toBe('product')
  })
  test('that is no XML is damaged, with the place', () => {
    const error = refusal(() => open('<product><a></product><!-- END XML -->'))
    expect(error.code).toBe('rainbow5.badHeader')
    expect(error.message).toContain("L'en-tête XML du fichier Rainbow 5 est abîmé. Copiez-le")
    expect(error.details).toMatchObject({ offset: 22, reason: expect.stringContaining('product') })
  })
})

describe('blocks', () => {
  test('are found by their number, in any order, with any blanks between them', () => {
    const { blobs } = open(
      HEAD,
      plain(7, 'seven'),
      '\r\n \t\n',
      plain(0, ''),
      `<BLOB size='1' blobid='3'>\r\nx</BLOB>`,
    )
    expect([...blobs].map(([id, { compressed, bytes }]) => [id, compressed, bytes.toString()])).toEqual([
      [7, false, 'seven'],
      [0, false, ''],
      [3, false, 'x'],
    ])
  })
  test('may have blanks around the equals signs and before their end', () => {
    const { blobs } = open(HEAD, `<BLOB blobid = "12" size\t= '2' compression = "qt">\nab \n </BLOB>`)
    expect([...blobs]).toEqual([[12, { compressed: true, bytes: Buffer.from('ab') }]])
  })
  test('keep what looks like a line end or a mark inside', () => {
    const { blobs } = open(HEAD, plain(1, '\n\r\n<BLOB \n</BLOB>\n'), '<BLOB blobid="2" size="2">\rx</BLOB>')
    expect(blobs.get(1)?.bytes.toString()).toBe('\n\r\n<BLOB \n</BLOB>\n')
    // A return alone ends no line.
    expect(blobs.get(2)?.bytes.toString()).toBe('\rx')
  })
  test('say themselves whether they are compressed', () => {
    const compressed = (attribute: string) =>
      open(HEAD, `<BLOB blobid="1" size="1" ${attribute}>\nx</BLOB>`).blobs.get(1)?.compressed
    expect(compressed('compression="qt"')).toBe(true)
    expect(compressed("compression = 'none'")).toBe(false)
    expect(compressed('')).toBe(false)
    const error = refusal(() => compressed('compression="lzo"'))
    expect(error).toMatchObject({ code: 'rainbow5.unsupported', details: { id: 1, compression: 'lzo' } })
    expect(error.message).toContain('bloc 1')
    expect(error.message).toContain('« lzo », seul « qt »')
  })
  test.each([
    ['no number', '<BLOB size="1">\nx</BLOB>'],
    ['no size', '<BLOB blobid="1">\nx</BLOB>'],
    ['a number that is none', '<BLOB blobid="x" size="1">\nx</BLOB>'],
    ['a size below 0', '<BLOB blobid="1" size="-1">\nx</BLOB>'],
    ['a number twice', plain(1, 'a') + plain(1, 'b')],
    ['attributes of other names', '<BLOB xblobid="1" xsize="1">\nx</BLOB>'],
  ])('with %s are badly described', (_, text) => {
    const error = refusal(() => open(HEAD, text))
    expect(error.code).toBe('rainbow5.badBlob')
    expect(error.message).toContain('mal décrit')
    expect(error.details.tag).toMatch(/^<BLOB.*>$/)
  })
  test('cut short are refused with what they announce and what is left', () => {
    const error = refusal(() => open(HEAD, '<BLOB blobid="4" size="10">\nabc'))
    expect(error).toMatchObject({ code: 'rainbow5.truncated', details: { id: 4, size: 10, left: 3 } })
    expect(error.message).toContain('le bloc 4 annonce 10 octets et il en reste 3')
    // As many as announced, but no end.
    for (const end of ['', '\n', '\n<', '\n</BLOB']) {
      const cut = refusal(() => open(HEAD, `<BLOB blobid="4" size="3">\nabc${end}`))
      expect(cut).toMatchObject({ code: 'rainbow5.truncated', details: { id: 4, size: 3 } })
      expect(cut.message).toContain("Le bloc 4 du fichier Rainbow 5 n'a pas la longueur annoncée")
    }
  })
  test('longer than announced are damaged', () => {
    const error = refusal(() => open(HEAD, '<BLOB blobid="4" size="2">\nabc\n</BLOB>'))
    expect(error).toMatchObject({ code: 'rainbow5.badBlob', details: { id: 4, size: 2 } })
  })
  test.each([
    ['<BLO', 'truncated', 'tronqué'],
    ['<BLOB blobid="1" size', 'truncated', 'tronqué'],
    ['<BLOB/>', 'badBlob', 'abîmé'],
    ['xyz>', 'badBlob', 'abîmé'],
    ['x<BLOB blobid="1" size="1">', 'badBlob', 'abîmé'],
    // A tag has fewer than 512 bytes.
    [`<BLOB ${'x'.repeat(505)}`, 'truncated', 'tronqué'],
    [`<BLOB ${'x'.repeat(506)}`, 'badBlob', 'abîmé'],
    [`<BLOB ${'x'.repeat(600)}`, 'badBlob', 'abîmé'],
  ])('%s after a block is a cut tag or no tag', (text, code, says) => {
    const whole = HEAD + plain(5, 'a'.repeat(1000))
    const error = refusal(() => open(whole, text))
    expect(error).toMatchObject({
      code: `rainbow5.${code}`,
      details: { offset: Buffer.from(whole, 'latin1').length },
    })
    expect(error.message).toContain(`est ${says} après son bloc 0`)
  })
})

describe('the content of a block', () => {
  const content = Buffer.from('abcdef')
  test('is inflated to one of the lengths that the header allows', () => {
    expect(readBlob(open(HEAD, packed(content)), 0, [6]).toString()).toBe('abcdef')
    expect(readBlob(open(HEAD, packed(content)), 0, [9, 6]).toString()).toBe('abcdef')
    const large = Buffer.alloc(5 * 2 ** 20, 'x')
    expect(readBlob(open(HEAD, packed(large)), 0, [large.length]).equals(large)).toBe(true)
    expect(readBlob(open(HEAD, packed(Buffer.alloc(0))), 0, [0])).toHaveLength(0)
  })
  test('is taken as it stands where it is not compressed', () => {
    expect(readBlob(open(HEAD, plain(2, 'abc')), 2, [3]).toString()).toBe('abc')
  })
  test('that is missing is refused', () => {
    const error = refusal(() => readBlob(open(HEAD, plain(2, 'abc')), 1, [3]))
    expect(error).toMatchObject({ code: 'rainbow5.missingBlob', details: { id: 1 } })
    expect(error.message).toContain('Le bloc 1 manque')
  })
  test.each([
    ['another length than the header has', packed(content), 5, 6],
    ['more than it announces', packed(content, 5), 5, 5],
    ['less than it announces', packed(content, 7), 7, 7],
    [
      'no compressed data',
      bytes(
        '<BLOB blobid="0" size="8" compression="qt">\n',
        Buffer.from([0, 0, 0, 6, 1, 2, 3, 4]),
        '</BLOB>',
      ),
      6,
      6,
    ],
    [
      'a length alone',
      bytes('<BLOB blobid="0" size="4" compression="qt">\n', Buffer.from([0, 0, 0, 6]), '</BLOB>'),
      6,
      6,
    ],
    ['no length', bytes('<BLOB blobid="0" size="3" compression="qt">\nabc</BLOB>'), 6, -1],
    ['another length, uncompressed', bytes(plain(0, 'abc')), 6, 3],
  ])('of %s is damaged', (_, blob, allowed, declared) => {
    const error = refusal(() => readBlob(open(HEAD, blob), 0, [allowed]))
    expect(error).toMatchObject({
      code: 'rainbow5.badBlob',
      details: { id: 0, declared, allowed: [allowed] },
    })
    expect(error.message).toContain("Le bloc 0 du fichier Rainbow 5 est abîmé ou n'a pas la taille annoncée")
  })
})
