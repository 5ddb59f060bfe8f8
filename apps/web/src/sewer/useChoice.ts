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
  const change = (make: (before: SewerSelection) => SewerSelection) =>
    setParams((before) => writeSelection(before, make(readSelection(before))))
  const { names, unknown } = useMemo(() => {
    const known = analysis === 'link' ? network.link : network.node
    return {
      names: asked.names.filter((name) => known.has(name)).slice(0, limitOf(analysis, hasReference)),
      unknown: asked.names.filter((name) => !known.has(name)),
    }
  }, [asked, analysis, network, hasReference])
  return {
    ...{ analysis, names, unknown },
    turnTo: (to) => change((before) => changeAnalysis(before, to)),
    pick: (name) => change(() => select({ analysis, names }, name, hasReference)),
    clear: () => change(() => (unknown.length > 0 ? { analysis, names } : reset({ analysis, names }))),
  }
}
