import type { RunFigures } from '@radx/contracts/figures'
import { describe, expect, test } from 'vitest'
import { type CompareAddress, MOST_RUNS, readCompare, writeCompare } from './address.ts'
import { compareCsv, fiveNumbers, QUANTITIES, type Row, sortRows } from './quantities.ts'
import { difference, onGround, reduced, roundUp, usualMost } from './thumbnail.ts'

const id = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`
const figures = (rainMm: number, sewer: RunFigures['sewer'] = null): RunFigures => ({
  ...{ durationS: 3600, deepest: null, sewer, outfallPeak: null, rainPeak: null, relativeError: 0 },
  ...{ rainMm, infiltratedMm: 1, interceptedMm: 0, flooded: [{ fromM: 0.1, areaM2: 25_000 }] },
})
const row = (k: number, own: RunFigures | null): Row => ({
  ...{ id: id(k), title: `=Essai ${k}`, catchment: 'Melun', rain: 'virtuel', land: 'd’origine' },
  ...{ equations: 'inertie locale', figures: own },
})

describe('the address of a comparison', () => {
  test('says which runs, against which, in which order and on which axes', () => {
    const said: CompareAddress = {
      ...{ runs: [id(1), id(2)], base: id(2), sort: { by: 'deepestCm', ascending: false } },
      ...{ x: 'outfallM3', y: 'rainMm' },
    }
    expect(readCompare(writeCompare(new URLSearchParams('autre=1'), said))).toEqual(said)
    expect(writeCompare(new URLSearchParams('autre=1'), said).get('autre')).toBe('1')
  })

  test('takes what others wrote: no run twice, none that is none, not too many, no base that is not there', () => {
    const many = Array.from({ length: 40 }, (_, k) => id(k))
    expect(readCompare(new URLSearchParams(`r=${many.join(',')},${many[0]},x`)).runs).toEqual(
      many.slice(0, MOST_RUNS),
    )
    expect(readCompare(new URLSearchParams(`r=${id(1)}&base=${id(2)}&tri=-rien&x=y`))).toEqual({
      ...{ runs: [id(1)], base: null, sort: null, x: 'rainMm', y: 'flooded20' },
    })
    // Who takes the base away compares with nothing.
    const params = writeCompare(new URLSearchParams(`r=${id(1)},${id(2)}&base=${id(2)}`), { runs: [id(1)] })
    expect(readCompare(params).base).toBeNull()
  })
})

test('runs are sorted by a number, those without it last either way', () => {
  const rows = [row(1, figures(20)), row(2, null), row(3, figures(40)), row(4, figures(30))]
  const order = (ascending: boolean) =>
    sortRows(rows, 'rainMm', ascending).map(({ id: own }) => Number(own.slice(-1)))
  expect([order(true), order(false)]).toEqual([
    [1, 4, 3, 2],
    [3, 4, 1, 2],
  ])
})

test('the file has every quantity with its unit, titles that are no formulas, and a dash for what a run has not', () => {
  const [head, first, none] = compareCsv([row(1, figures(20)), row(2, null)])
    .trim()
    .split(/\r?\n/)
  expect(head.split(',')).toHaveLength(5 + QUANTITIES.length)
  expect(head).toContain('Pluie (mm)')
  expect(first).toMatch(/^"?'=Essai 1"?,Melun,virtuel,d’origine,inertie locale,20,–,1,0,2\.5,–,–,/)
  expect(none).toMatch(/(,–){13}$/)
})

test('five numbers are those of R’s default quantile', () => {
  expect(fiveNumbers([])).toBeNull()
  expect(fiveNumbers([7])).toEqual([7, 7, 7, 7, 7])
  expect(fiveNumbers([4, 1, 3, 2])).toEqual([1, 1.75, 2.5, 3.25, 4])
})

describe('small maps', () => {
  test('a large grid keeps its largest sizes, with their signs, and its outside', () => {
    const [nrows, ncols] = [700, 500]
    const values = new Float32Array(nrows * ncols)
    values.fill(Number.NaN, 0, 3 * ncols)
    values[400 * ncols + 301] = -80
    values[400 * ncols + 300] = 20
    const small = reduced(values, { nrows, ncols })
    expect([small.nrows, small.ncols]).toEqual([234, 167])
    expect(small.values[133 * 167 + 100]).toBe(-80)
    expect(Number.isNaN(small.values[0])).toBe(true)
    expect(small.values[167]).toBe(0)
    expect(reduced(values.slice(0, 6), { nrows: 2, ncols: 3 }).nrows).toBe(2)
  })

  test('a scale leaves out the few deepest cells and ends at a round number', () => {
    const depths = Float32Array.from({ length: 1000 }, (_, k) => (k < 990 ? k / 10 : 5000))
    expect(usualMost([depths, depths])).toBeCloseTo(97.9, 0)
    expect(usualMost([new Float32Array(4)])).toBe(0)
    expect([0.3, 1, 97.9, 130].map(roundUp)).toEqual([0.5, 1, 100, 200])
    expect(roundUp(0)).toBe(1)
  })

  test('differences are NaN outside, and stand on the ground inside', () => {
    const values = difference(Float32Array.of(5, Number.NaN, 2), Float32Array.of(3, 1, 2))
    expect([...values]).toEqual([2, Number.NaN, 0])
    const data = Uint8ClampedArray.of(255, 0, 0, 51, 0, 0, 0, 0, 0, 0, 0, 0)
    const { data: out } = onGround({ width: 3, height: 1, data }, values, [100, 100, 100])
    expect([...out]).toEqual([131, 80, 80, 255, 0, 0, 0, 0, 100, 100, 100, 255])
  })
})
