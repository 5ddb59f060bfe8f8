import { FormatError } from '@radx/contracts'
import { expect, test } from 'vitest'
import { inp } from '../testing/inp-text.ts'
import { readInp } from './read.ts'

const STREET = {
  XSECTIONS: 'C1 STREET RUE\nC2 CIRCULAR 0.5',
  STREETS: 'RUE 4 0.15 2 0.016 0.05 0.6 1',
}
const read = (sections: Record<string, string>) =>
  readInp(inp({ ...STREET, ...sections }), { file: 'essai.inp', inlets: true })

test('inlets come out in SI with the section of their street', () => {
  const { inlets, warnings } = read({
    INLETS: 'I GRATE 0.9 0.45 P_BAR-50x100\nI CURB 1.5 0.15 INCLINED',
    INLET_USAGE: 'C1 I J2 2 25 30 0.1 0.8 ON_SAG',
  })
  expect(warnings.join()).toBe('')
  expect(inlets).toEqual([
    {
      link: 0,
      node: 1,
      design: {
        name: 'I',
        drop: false,
        grate: { lengthM: 0.9, widthM: 0.45, kind: 'P_BAR-50X100', openShare: 0, splashMS: 0 },
        curb: { lengthM: 1.5, heightM: 0.15, throat: 'inclined' },
        slot: null,
        custom: null,
      },
      count: 2,
      freeShare: 0.75,
      mostM3S: expect.closeTo(0.03, 12),
      localDepthM: 0.1,
      localWidthM: 0.8,
      placement: 'sag',
      street: { crownM: 4, crossSlope: 0.02, n: 0.016, depressionM: 0.05, gutterM: 0.6, sides: 1 },
    },
  ])
  // Nobody asked for them: water stays in the streets, and that is told.
  const without = readInp(inp({ ...STREET, INLETS: 'I SLOTTED 2 0.1', INLET_USAGE: 'C1 I J2' }))
  expect(without.inlets).toEqual([])
  expect(without.warnings.join()).toContain('1 avaloir(s)')
})

test('custom ones have a curve by flow or by depth', () => {
  const { inlets } = read({
    INLETS: 'I CUSTOM R',
    INLET_USAGE: 'C1 I J2',
    CURVES: 'R RATING 0 0\nR 0.1 20',
  })
  expect(inlets[0].design.custom).toEqual({ by: 'depth', x: [0, 0.1], y: [0, expect.closeTo(0.02, 12)] })
})

test('one that its conduit cannot have is left out, as of two the first', () => {
  const left = (sections: Record<string, string>) => read(sections).warnings.join()
  expect(left({ INLETS: 'I GRATE 1 1 P_BAR-50', INLET_USAGE: 'C2 I J2' })).toContain('la sienne est CIRCULAR')
  expect(left({ INLETS: 'I DROP_CURB 1 0.2', INLET_USAGE: 'C1 I J2' })).toContain('RECT_OPEN ou TRAPEZOIDAL')
  const twice = read({ INLETS: 'I SLOTTED 2 0.1', INLET_USAGE: 'C1 I J1\nC1 I J2' })
  expect(twice.inlets).toMatchObject([{ node: 1 }])
  expect(twice.warnings.join()).toContain('la dernière compte')
})

test.each<[Record<string, string>, string, string]>([
  [{ INLETS: 'I GRATE 1 1 P_BAR-50', INLET_USAGE: 'C9 I J2' }, 'link', '« C9 »'],
  [{ INLETS: 'I GRATE 1 1 P_BAR-50', INLET_USAGE: 'C1 X J2' }, 'inlet', '« X »'],
  [{ INLETS: 'I GRATE 1 1 P_BAR-50', INLET_USAGE: 'C1 I J9' }, 'node', '« J9 »'],
  [{ INLETS: 'I GRATE 1 1 GITTER' }, 'keyword', 'GITTER'],
  [{ INLETS: 'I HOLE 1 1' }, 'keyword', 'HOLE'],
  [{ INLETS: 'I GRATE 0 1 P_BAR-50' }, 'range', 'la longueur'],
  [{ INLETS: 'I GRATE 1 1 GENERIC' }, 'missing', 'la part ouverte'],
  [{ INLETS: 'I CUSTOM X' }, 'curve', '« X »'],
  [{ INLETS: 'I SLOTTED 1 0.1', INLET_USAGE: 'C1 I J2 1 120' }, 'range', 'le colmatage'],
])('%j is refused with its line', (sections, code, word) => {
  let error: unknown
  try {
    read(sections)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(FormatError)
  expect(error).toMatchObject({ code: `inp.${code}` })
  expect(String(error)).toContain(word)
  expect(String(error)).toMatch(/essai\.inp, ligne \d+ : /)
})
