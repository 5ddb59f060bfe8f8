import { useMemo } from 'react'
import { useAddressParams } from '../app/address-params.ts'
import type { SewerNetwork } from './network.ts'
import {
  type Analysis,
  changeAnalysis,
  limitOf,
  readSelection,
  reset,
  type SewerSelection,
  select,
  writeSelection,
} from './selection.ts'

/** What of a network is looked at, as the address has it. */
export interface Choice {
  analysis: Analysis
  /** Chosen nodes or links that the network has, and names that it has not. */
  names: readonly string[]
  unknown: readonly string[]
  turnTo(analysis: Analysis): void
  pick(name: string): void
  /** Forgets what is unknown, or else what is chosen. */
  clear(): void
}

/** @param hasReference another run is compared with, so that fewer links are chosen at once */
export function useChoice(network: SewerNetwork, hasReference: boolean): Choice {
  const [params, setParams] = useAddressParams()
  // The address also moves with other parts; the selection then stays the same.
  const written = JSON.stringify(readSelection(params))
  const asked = useMemo((): SewerSelection => JSON.parse(written), [written])
  const { analysis } = asked
  const { names, unknown } = useMemo(
    () => sorted(asked, network, hasReference),
    [asked, network, hasReference],
  )
  // What was chosen a moment ago counts, though it is not drawn yet.
  const change = (make: (now: SewerSelection, unknown: readonly string[]) => SewerSelection) =>
    setParams((before) => {
      const now = readSelection(before)
      const found = sorted(now, network, hasReference)
      return writeSelection(before, make({ analysis: now.analysis, names: found.names }, found.unknown))
    })
  return {
    ...{ analysis, names, unknown },
    turnTo: (to) => change((now) => changeAnalysis(now, to)),
    pick: (name) =>
      change((now) => (knownTo(now.analysis, network).has(name) ? select(now, name, hasReference) : now)),
    clear: () => change((now, strange) => (strange.length > 0 ? now : reset(now))),
  }
}

/** The names that the network has, as many as may be chosen, and those that it has not. */
function sorted({ analysis, names }: SewerSelection, network: SewerNetwork, hasReference: boolean) {
  const known = knownTo(analysis, network)
  return {
    names: names.filter((name) => known.has(name)).slice(0, limitOf(analysis, hasReference)),
    unknown: names.filter((name) => !known.has(name)),
  }
}

const knownTo = (analysis: Analysis, network: SewerNetwork): ReadonlyMap<string, unknown> =>
  analysis === 'link' ? network.link : network.node
