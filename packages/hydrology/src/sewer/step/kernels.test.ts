import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sewerWasm } from '../../testing/kernels.ts'
import { course, networks } from '../testing/networks.ts'

const wasm = sewerWasm()

test('the compiled loops give the reference’s bits, whatever the network is made of', () => {
  fc.assert(
    fc.property(networks, fc.boolean(), fc.constantFrom(undefined, 1), (net, coupled, maxStepS) => {
      const options = { coupled, maxStepS }
      const expected = course(net, options)
      const compiled = course(net, { ...options, wasm })
      expect(compiled.length).toBe(expected.length)
      for (let i = 0; i < expected.length; i++)
        if (!Object.is(compiled[i], expected[i])) expect([i, compiled[i]]).toEqual([i, expected[i]])
    }),
    { numRuns: 60 },
  )
})
