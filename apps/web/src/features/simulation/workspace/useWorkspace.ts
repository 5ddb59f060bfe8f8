import { useCallback, useMemo } from 'react'
import { useAddressParams } from '../../../app/address-params.ts'
import {
  type Pick,
  pickKey,
  readWorkspace,
  type WorkspaceAddress,
  withPick,
  writeWorkspace,
} from './address.ts'

type Change = Partial<WorkspaceAddress> | ((before: WorkspaceAddress) => Partial<WorkspaceAddress>)

/** The state of the workspace; the page's address carries it. */
export function useWorkspace() {
  const [params, setParams] = useAddressParams()
  const write = useCallback(
    (next: Change, replace: boolean) =>
      setParams(
        (before) => writeWorkspace(before, typeof next === 'function' ? next(readWorkspace(before)) : next),
        { replace },
      ),
    [setParams],
  )
  /** What moves by itself or is set finely: where the map stands, the camera, pins. */
  const change = useCallback((next: Change) => write(next, true), [write])
  /** What was chosen, and what Back takes back: a layer, a mode, a place. */
  const go = useCallback((next: Change) => write(next, false), [write])
  // The clock moves the address as well; what did not change stays the same to those that depend on it.
  const written = JSON.stringify(readWorkspace(params))
  return useMemo(() => {
    const address: WorkspaceAddress = JSON.parse(written)
    return {
      ...address,
      change,
      go,
      pick: (pick: Pick) => go(({ picks }) => ({ picks: withPick(picks, pick) })),
      drop: (pick: Pick) =>
        go(({ picks }) => ({ picks: picks.filter((other) => pickKey(other) !== pickKey(pick)) })),
      keep: (pick: Pick, kept: boolean) =>
        change(({ picks }) => ({
          picks: picks.map((other) => (pickKey(other) === pickKey(pick) ? { ...other, kept } : other)),
        })),
    }
  }, [written, change, go])
}
