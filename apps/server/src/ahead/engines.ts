import { type CatchmentPackage, LiveEngine } from '../simulation/api.ts'
import { liveSetup } from './steps.ts'

/** Engines that stay: with its package one of 160,000 cells takes some 60 MB. */
const KEPT = 2

/** By hash of the catchment's package, the one that was asked for last at the end. */
const engines = new Map<string, LiveEngine>()

/**
 * Works with the engine of a catchment's version. It stays in this thread: the steps of a cycle follow each other closely, and
 * putting it together takes as long as a member in light rain. Of what fails nothing is left.
 *
 * @param hash of the version's package
 */
export async function withEngine<T>(
  hash: string,
  catchment: CatchmentPackage,
  work: (engine: LiveEngine) => Promise<T>,
): Promise<T> {
  const engine = engines.get(hash) ?? new LiveEngine(liveSetup(catchment))
  // Nobody else takes it meanwhile.
  engines.delete(hash)
  try {
    const result = await work(engine)
    engines.set(hash, engine)
    return result
  } finally {
    if (engines.get(hash) !== engine) engine.dispose()
    for (const [oldest, one] of engines) {
      if (engines.size <= KEPT) break
      engines.delete(oldest)
      one.dispose()
    }
  }
}
