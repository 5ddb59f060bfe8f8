import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOdim } from '@radx/formats/odim/odim'
import { type Samples, scaleMoments } from '@radx/scaling/moments'
import {
  doubleTraceMoments,
  doubleTraceMomentsOf,
  poweredMoments,
  TRACE_QS,
  traceMoments,
  traceMomentsOf,
} from '@radx/scaling/trace-moments'
import { describe, expect, test } from 'vitest'
import { hasReferenceData, REFERENCE_DATA, referenceFiles } from './reference-data.ts'

interface Reference {
  exact: {
    field: number[][]
    lam: number[]
    q: number[]
    moments: number[][]
    tm: { alpha: number; C1: number }
    dtm: { alpha: number; C1: number; K: number[] }
  }
  rmi: Record<string, { rows: [number, number]; cols: [number, number]; all: Fit; '1-16km': Fit }>
}
interface Fit {
  tm_alpha: number
  tm_C1: number
  dtm_alpha: number
  dtm_C1: number
}

describe.skipIf(!hasReferenceData())('multifractal analysis against an independent one', () => {
  const reference = (): Reference =>
    JSON.parse(readFileSync(join(REFERENCE_DATA, 'radar-science/reference-multifractal.json'), 'utf8'))

  test('moments of a 16 x 16 field to twelve digits, parameters to nine', () => {
    const { exact } = reference()
    const samples: Samples = { dimension: 2, side: 16, fields: [Float64Array.from(exact.field.flat())] }
    const { lambda, moments } = scaleMoments(samples, exact.q)!
    expect(lambda).toEqual(exact.lam)
    for (const [i, row] of moments.entries())
      for (const [j, moment] of row.entries())
        expect(Math.abs(moment / exact.moments[i][j] - 1)).toBeLessThan(1e-11)
    const range = { low: 1, high: 16 }
    const tm = traceMoments(samples, range)!
    expect(tm.alpha).toBeCloseTo(exact.tm.alpha, 8)
    expect(tm.c1).toBeCloseTo(exact.tm.C1, 9)
    const dtm = doubleTraceMoments(samples, range)!
    expect(dtm.alpha).toBeCloseTo(exact.dtm.alpha, 9)
    expect(dtm.c1).toBeCloseTo(exact.dtm.C1, 9)
    for (const [i, { k }] of dtm.k.entries()) expect(k).toBeCloseTo(exact.dtm.K[i], 4)
  })

  test('39 radar frames: parameters within 0.01', async () => {
    const frames = await Promise.all(
      referenceFiles('odim/rmi-20210704', /\.hdf$/).map((path) => readOdim(readFileSync(path))),
    )
    for (const [name, { rows, cols, ...fits }] of Object.entries(reference().rmi)) {
      const side = rows[1] - rows[0]
      const fields = frames.map(({ rateMmH, ncols }) =>
        Float64Array.from(
          { length: side * side },
          // The reference takes what is missing (1.4 % at most) as dry.
          (_, i) => rateMmH[(rows[0] + Math.floor(i / side)) * ncols + cols[0] + (i % side)] || 0,
        ),
      )
      const samples: Samples = { dimension: 2, side, fields }
      const moments = scaleMoments(samples, TRACE_QS)!
      const powered = poweredMoments(samples)
      for (const [fit, low] of [
        [fits.all, 1],
        [fits['1-16km'], side / 16],
      ] as const) {
        const tm = traceMomentsOf(moments, { low, high: side })!
        const dtm = doubleTraceMomentsOf(powered, { low, high: side })!
        const found = { tm_alpha: tm.alpha, tm_C1: tm.c1, dtm_alpha: dtm.alpha, dtm_C1: dtm.c1 }
        for (const [key, value] of Object.entries(found))
          expect(Math.abs(value - fit[key as keyof Fit]), `${name} ${low} ${key}`).toBeLessThan(0.01)
      }
    }
  })
})
