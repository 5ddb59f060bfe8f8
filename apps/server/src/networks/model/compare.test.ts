import { readInp } from '@radx/formats/inp/read'
import { expect, test } from 'vitest'
import { MODEL } from '../testing/model.ts'
import { theirsOf } from './compare.ts'

/** A result file of EPA SWMM whose [REPORT] asks for nothing: its periods hold the figures of the whole model alone. */
function emptyOut(): Uint8Array {
  const ints = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer)
  const magic = 516_114_522
  const head = ints(magic, 52_004, 3, 0, 0, 0, 0)
  // No properties, no variables but 15 of the system.
  const about = Buffer.concat([
    ints(0, 0, 0, 0, 0, 0, 15, ...Array.from({ length: 15 }, (_, k) => k)),
    Buffer.from(Float64Array.of(45_292).buffer),
    ints(300),
  ])
  const period = Buffer.concat([Buffer.from(Float64Array.of(45_292.003).buffer), Buffer.alloc(60)])
  const results = head.length + about.length
  const tail = ints(head.length, head.length, results, 1, 0, magic)
  return Buffer.concat([head, about, period, tail])
}

test('a result that reports no element says so, and how to have some', () => {
  const { network } = readInp(MODEL, { runoff: true })
  expect(() => theirsOf(emptyOut(), 'vide.out', network, ['S1'])).toThrow(
    /vide\.out : ce résultat ne rapporte aucun élément.*NODES ALL/,
  )
})
