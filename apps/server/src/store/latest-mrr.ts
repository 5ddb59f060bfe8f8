import type { Deps } from '../http/app.ts'

type Source = (deps: Deps) => Promise<string | null>

let source: Source = async () => null

/** The micro rain radar's feature tells here which picture is its latest. */
export function provideLatestMrr(own: Source): void {
  source = own
}

/** File name of the micro rain radar's latest picture; null without one. */
export const latestMrr = (deps: Deps): Promise<string | null> => source(deps)
