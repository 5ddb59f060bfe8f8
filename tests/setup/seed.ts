import fc from 'fast-check'

/**
 * Properties are tried with the same values each time: one that fails in a run of a hundred would fail somebody else's
 * change. `RADX_TEST_SEED=N` tries others, and a fault found so becomes an example of its test.
 */
fc.configureGlobal({ seed: Number(process.env.RADX_TEST_SEED ?? 20_260_615) })
