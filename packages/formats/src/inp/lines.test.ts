import { describe, expect, test } from 'vitest'
import { expectRefusal, inp } from '../testing/inp-text.ts'
import { refusal } from '../testing/refusal.ts'
import { INP_MAX_BYTES, splitInp } from './lines.ts'
import { readInp } from './read.ts'

const words = (text: string) => splitInp(`[A]\n${text}`, 'f').sections[0].lines.map((line) => line.words)

describe('lines', () => {
  test('words stand between blanks and tabs; what follows a semicolon is a comment', () => {
    expect(words(' J1 \t10  2;profondeur\n;rien\n\n  \nJ2')).toEqual([['J1', '10', '2'], ['J2']])
  })
  test('double quotes hold blanks together, also an empty word and one that is not closed', () => {
    expect(words('T1 FILE "débit 1.dat" x')).toEqual([['T1', 'FILE', 'débit 1.dat', 'x']])
    expect(words('J1 FLOW "" 2\t"a"b')).toEqual([['J1', 'FLOW', '', '2', 'a', 'b']])
    expect(words('J1 "sans fin')).toEqual([['J1', 'sans fin']])
  })
  test('sections keep their order, their line, their text and the numbers of their lines', () => {
    const document = splitInp('; préambule\r\n\r\n[a b]x\r\n;c\r\n1 2\r\n[ C \r\n3', 'essai.inp')
    expect(document).toEqual({
      file: 'essai.inp',
      preamble: ['; préambule', ''],
      sections: [
        { name: 'A B', line: 3, text: [';c', '1 2'], lines: [{ number: 5, words: ['1', '2'] }] },
        { name: 'C', line: 6, text: ['3'], lines: [{ number: 7, words: ['3'] }] },
      ],
    })
  })
  test('a line of a return alone is empty, and one within a line stays', () => {
    expect(splitInp('[A]\n\r\n1\r\n2\rx\n', 'f').sections[0].text).toEqual(['', '1', '2\rx', ''])
  })
  test('an empty line at the very start belongs to what stands before the sections', () => {
    expect(splitInp('\n[A]\n1', 'f')).toMatchObject({ preamble: [''], sections: [{ line: 2, text: ['1'] }] })
    expect(splitInp('\r\n[A]\r\n1', 'f').preamble).toEqual([''])
  })
  test('a title is text, not words', () => {
    expect(splitInp('[TITLE]\nun "titre', 'f').sections[0]).toMatchObject({ text: ['un "titre'], lines: [] })
  })
})

describe('what is no network', () => {
  test('text before any section', () => {
    expectRefusal(`;note\nrien\n${inp()}`, 'section', 2, 'avant toute section', 'son début manque')
  })
  test('no section at all', () => {
    expectRefusal(';rien', 'empty', 1, 'aucune section', '[JUNCTIONS]')
  })
  test('a line longer than 65,536 characters, by its length', () => {
    const line = `[TITLE]\n${'x'.repeat(65_536)}`
    expect(splitInp(line, 'f').sections).toHaveLength(1)
    expectRefusal(`${line}x`, 'line', 2, '65537 caractères', '.inp')
  })

  const refused = (bytes: Uint8Array) => refusal(() => splitInp(bytes, 'essai.inp'))
  test('a binary file, by the line of its first zero', () => {
    const error = refused(new TextEncoder().encode('[A]\n1\n2 \0\n'))
    expect(error).toMatchObject({ code: 'inp.binary', details: { line: 3 } })
    expect(error.message).toContain('UTF-16')
    expect(refused(Uint8Array.of(0)).details).toMatchObject({ line: 1 })
  })
  test('a file of more than 128 MiB, by its size', () => {
    expect(INP_MAX_BYTES).toBe(134_217_728)
    const error = refused(new Uint8Array(INP_MAX_BYTES + 2 ** 20))
    expect(error).toMatchObject({ code: 'inp.size', details: { line: 1 } })
    expect(error.message).toContain('129 Mo, plus que les 128 Mo')
    // One of exactly that size is looked at.
    expect(refused(new Uint8Array(INP_MAX_BYTES)).code).toBe('inp.binary')
  })
})

test('bytes are UTF-8, or else the one-byte code of Western Windows', () => {
  const text = inp({ TITLE: 'Réseau n° 1 – œuvre' })
  expect(readInp(new TextEncoder().encode(text)).network.title).toEqual(['Réseau n° 1 – œuvre'])
  const windows = Uint8Array.from(text, (c) => ({ '–': 0x96, œ: 0x9c })[c] ?? c.charCodeAt(0))
  expect(readInp(windows).network.title).toEqual(['Réseau n° 1 – œuvre'])
})
