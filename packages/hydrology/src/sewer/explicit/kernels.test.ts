import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explicitSewerWasm } from '../../testing/kernels.ts'
import { course, networks } from '../testing/networks.ts'

const wasm = explicitSewerWasm()

test('the compiled loops of the explicit scheme give the reference’s bits, whatever the network is made of', () => {
  fc.assert(
    fc.property(networks, (net) => {
      const expected = course(net, { scheme: 'explicit' })
      const compiled = course(net, { scheme: 'explicit', wasm })
      expect(compiled.length).toBe(expected.length)
      for (let i = 0; i < expected.length; i++)
        if (!Object.is(compiled[i], expected[i])) expect([i, compiled[i]]).toEqual([i, expected[i]])
    }),
    { numRuns: 60 },
  )
})
