import { describe, expect, test } from 'vitest'
import { splitInp } from './lines.ts'
import { withSection, writeInp } from './write.ts'

const parse = (text: string) => splitInp(text, 'essai.inp')

describe('writing a document again', () => {
  test('keeps the preamble, comments and order, and ends each section by one blank line', () => {
    const text = ';avant\n\n[OPTIONS]\n;;nom  valeur\nA 1 ;fin\n\n[TITLE]\nun titre\n'
    expect(writeInp(parse(text))).toBe(text)
    expect(writeInp(parse('[A]\r\n1\r\n[B]\r\n2'))).toBe('[A]\n1\n\n[B]\n2\n')
    expect(writeInp(parse('[A]\n1\n   \n[B]\n'))).toBe('[A]\n1\n   \n[B]\n')
    expect(writeInp(parse('[A]\n[B]\n1\n\n\n\n'))).toBe('[A]\n\n[B]\n1\n')
  })
})

describe('a section with other rows', () => {
  const document = parse(';tête\n[A]\n1\n\n[B]\nvieux\n\n[C]\n3\n\n[B]\nencore\n')
  test('stands where the first of its name stood, and the others of that name go', () => {
    const changed = withSection(document, 'B', [
      ['J1', 2],
      ['a b', ''],
    ])
    expect(writeInp(changed)).toBe(';tête\n[A]\n1\n\n[B]\nJ1\t2\n"a b"\t""\n\n[C]\n3\n')
    // Its words are there without writing and reading.
    expect(changed.sections[1].lines.map((line) => line.words)).toEqual([
      ['J1', '2'],
      ['a b', ''],
    ])
  })
  test('may be the first of the file', () => {
    expect(writeInp(withSection(parse('[A]\n1\n\n[B]\n2\n'), 'A', [['x']]))).toBe('[A]\nx\n\n[B]\n2\n')
  })
  test('comes last where there was none', () => {
    expect(writeInp(withSection(parse('[A]\n1\n'), 'B', [['x']]))).toBe('[A]\n1\n\n[B]\nx\n')
  })
  test('quotes what blanks or a semicolon would cut', () => {
    const [section] = parse(writeInp(withSection(document, 'D', [['a;b', 'c\td', 'e']]))).sections.slice(-1)
    expect(section.text[0]).toBe('"a;b"\t"c\td"\te')
  })
  test('leaves the document that it came from alone', () => {
    const before = writeInp(document)
    withSection(document, 'A', [['9']])
    expect(writeInp(document)).toBe(before)
  })
})
