import { defineConfig } from 'vitest/config'

/** The unit tests of the package under mutation, and nothing else. `RADX_MUTATE` is set by tools/mutate.ts. */
export default defineConfig({
  test: {
    include: [`packages/${process.env.RADX_MUTATE}/src/**/*.test.ts`],
    // Damage by chance would make the score one of chance.
    exclude: ['**/fuzz.test.ts', '**/*.db.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
  },
})
