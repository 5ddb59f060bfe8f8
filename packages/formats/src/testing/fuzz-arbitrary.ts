import fc from 'fast-check'
import { MUTATION_KINDS, type Mutation } from './mutate.ts'

/** One to four pieces of damage anywhere in a file. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...MUTATION_KINDS),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    size: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 4096 })),
    value: fc.nat({ max: 0xffffffff }),
  }),
  { minLength: 1, maxLength: 4 },
)
