import { calibrationBodySchema } from '@radx/contracts/calibration'
import { CALIBRATED } from '@radx/contracts/calibration-constants'
import { expect, test } from 'vitest'
import { bodyOf, boundOf, FIRST_DRAFT, firstBounds } from './fit-draft.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const GARDEN = { code: 3, title: 'Jardin', nmanningov: 0.2, kh: 3e-6 }

test('bounds are read with comma, point and powers of ten, and nothing else', () => {
  expect(['0,05', '0.05', '1e-6', '2,5E-3', '3'].map(boundOf)).toEqual([0.05, 0.05, 1e-6, 2.5e-3, 3])
  for (const wrong of ['', '-1', 'a', '1,2,3', '1e', 'Infinity']) expect(boundOf(wrong), wrong).toBeNull()
})

test('first bounds of every parameter are ones that the server takes', () => {
  for (const kind of CALIBRATED)
    for (const entry of kind === 'imperviousness' ? [GARDEN] : [undefined, GARDEN]) {
      if (entry && (kind === 'gullyEfficiency' || kind === 'sewerRoughness')) continue
      const parameter = { kind, code: entry?.code ?? null, ...firstBounds(kind, entry) }
      const draft = {
        ...FIRST_DRAFT,
        name: 'Essai',
        events: { [ID]: 'calibration' as const },
        parameters: [parameter],
      }
      const made = bodyOf(draft, 'jumeau', [ID])
      expect('body' in made && calibrationBodySchema.safeParse(made.body).success, kind).toBe(true)
    }
})

test('a draft tells all that it lacks', () => {
  const roughness = { kind: 'roughness', code: null, min: '2', max: '1', scale: 'linear' } as const
  expect(bodyOf({ ...FIRST_DRAFT, runs: 5 }, 'jumeau', [])).toEqual({
    missing: ['name', 'event', 'series', 'parameter', 'runs'],
  })
  expect(bodyOf({ ...FIRST_DRAFT, parameters: [roughness] }, 'jumeau', [ID])).toEqual({
    missing: ['name', 'event', 'bounds'],
  })
  const good = { ...roughness, max: '3' }
  const twice = {
    ...FIRST_DRAFT,
    name: 'a',
    events: { [ID]: 'validation' as const },
    parameters: [good, good],
  }
  expect(bodyOf(twice, 'jumeau', [ID])).toEqual({ missing: ['event', 'twice'] })
})
