import { defineConfig } from 'vitest/config'

/** The unit tests of the package under mutation, and nothing else. The environment is set by tools/mutate.ts. */
const { RADX_MUTATE, RADX_MUTATE_TESTS = '**/*.test.ts' } = process.env

export default defineConfig({
  test: {
    include: RADX_MUTATE_TESTS.split(',').map((glob) => `packages/${RADX_MUTATE}/src/${glob}`),
    // Damage by chance would make the score one of chance.
    exclude: ['**/fuzz.test.ts', '**/sewer/step/kernels.test.ts', '**/*.db.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
  },
})
