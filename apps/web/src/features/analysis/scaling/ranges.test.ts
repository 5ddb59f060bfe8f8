import type { EventScalingAnswer } from '@radx/contracts/scaling'
import { expect, test } from 'vitest'
import { estimatesCsv, framesCsv, momentsCsv, spectrumCsv } from './csv.ts'
import { clipped, moveEnd, scalesOf } from './ranges.ts'

test('a click moves the nearer end, and three scales stay', () => {
  const all = { fromCells: 1, toCells: 64 }
  expect(moveEnd(all, 3.1, 64)).toEqual({ fromCells: 4, toCells: 64 })
  expect(moveEnd(all, 20, 64)).toEqual({ fromCells: 1, toCells: 16 })
  expect(moveEnd({ fromCells: 4, toCells: 16 }, 6, 64)).toEqual({ fromCells: 8, toCells: 32 })
  expect(moveEnd({ fromCells: 4, toCells: 16 }, 100, 64)).toEqual({ fromCells: 4, toCells: 64 })
  expect(moveEnd({ fromCells: 16, toCells: 64 }, 62, 64)).toEqual({ fromCells: 16, toCells: 64 })
  expect(clipped(all, 16)).toEqual({ fromCells: 1, toCells: 16 })
  expect(clipped({ fromCells: 16, toCells: 64 }, 16)).toEqual({ fromCells: 4, toCells: 16 })
  expect(scalesOf(8)).toEqual([1, 2, 4, 8])
})

test('the tables hold what the page shows, and leave out what was not found', () => {
  const estimate = { alpha: 1.8, c1: 0.1, r2: 0.99 }
  const part = {
    ...{ samples: 1, side: 4, zeroShare: 0, missingShare: 0 },
    points: { cells: [1, 4], q: [1.5], moments: [[1.4], [1]] },
    fits: [{ fromCells: 1, toCells: 4, tm: { ...estimate, k: [] }, dtm: null }],
  }
  const found = {
    ...{ cellM: 250, frameSeconds: 206, space: part, wet: null, time: null },
    spectrum: {
      wavelengthM: [1000],
      power: [2],
      fits: [{ fromCells: 1, toCells: 4, beta: 1.6, r2: 1, h: null }],
    },
    single: [
      {
        time: '2026-06-04T00:00:00Z',
        zeroShare: 0.5,
        missingShare: 0,
        meanMmH: 1,
        fits: [{ tm: null, dtm: estimate }],
      },
    ],
  } as unknown as EventScalingAnswer
  expect(estimatesCsv(found).split('\n')[1]).toBe('space,1,4,1.8,0.1,0.99,,,,1.6,')
  expect(momentsCsv(found).split('\n')[2]).toBe('space,4,1000,,1.5,1')
  expect(framesCsv(found, 0).split('\n')[1]).toBe('2026-06-04T00:00:00Z,0.5,0,1,,,,1.8,0.1,0.99')
  expect(spectrumCsv(found)).toBe('wavelength_m,power\n1000,2\n')
})
