import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { parseOpacity } from '../../player/values.ts'
import { type SelectionGround, selectionOf, writeSelection } from '../../selection/address.ts'
import { chosenPeriod, type Selection } from '../../selection/selection.ts'
import { currentImage, useArchive } from './archive/store.ts'

const SETTLE_MS = 250

export interface AnalysisAddress {
  selection: Selection
  select: (step: (now: Selection) => Selection) => void
  /** The chosen period is asked for, not only chosen. */
  loaded: boolean
  load: (selection?: Selection) => void
  /** Back to choosing. */
  unload: () => void
  /** Instant that the address names. */
  moment: string | null
  opacity: number
  setOpacity: (opacity: number) => void
  /** The map shows the accumulation of the period. */
  cumul: boolean
  setCumul: (cumul: boolean) => void
}

/**
 * The analysis screen's address: the selection, `v` once it is loaded, `t` moment, `o` opacity, `a` for the
 * accumulation map, `g` gauges. A reload, the back button and a colleague get the same view.
 */
export function useAnalysisAddress(ground: SelectionGround): AnalysisAddress {
  const [params, setParams] = useSearchParams()
  const selection = useMemo(() => selectionOf(params, ground), [params, ground])
  const loaded = params.has('v') && chosenPeriod(selection) !== null

  const change = useCallback(
    (edit: (next: URLSearchParams) => void, replace = true) => {
      // Clicks may follow each other faster than the address is read again.
      const next = new URLSearchParams(window.location.search)
      edit(next)
      setParams(next, { replace, preventScrollReset: true })
    },
    [setParams],
  )

  const select = useCallback(
    (step: (now: Selection) => Selection) =>
      change((to) => writeSelection(to, step(selectionOf(to, ground)), ground)),
    [change, ground],
  )
  const load = useCallback(
    (next?: Selection) =>
      change((to) => {
        if (next) writeSelection(to, next, ground)
        for (const name of ['t', 'a']) to.delete(name)
        to.set('v', '1')
      }, false),
    [change, ground],
  )
  const unload = useCallback(
    () =>
      change((to) => {
        for (const name of ['v', 't', 'a']) to.delete(name)
      }, false),
    [change],
  )
  const setOpacity = useCallback(
    (value: number) =>
      change((to) => {
        if (value === 100) to.delete('o')
        else to.set('o', String(value))
      }),
    [change],
  )
  const setCumul = useCallback(
    (value: boolean) =>
      change((to) => {
        if (value) to.set('a', '1')
        else to.delete('a')
      }),
    [change],
  )

  useMoment(loaded, change)
  return {
    selection,
    select,
    loaded,
    load,
    unload,
    moment: params.get('t'),
    opacity: parseOpacity(params.get('o')),
    setOpacity,
    cumul: loaded && params.has('a'),
    setCumul,
  }
}

/** Writes the instant on the map into the address once it has settled. */
function useMoment(loaded: boolean, change: (edit: (next: URLSearchParams) => void) => void): void {
  const time = useArchive((state) => (state.playing ? null : (currentImage(state)?.datetime ?? null)))
  const first = useArchive((state) => state.images[0]?.datetime ?? null)
  const changeRef = useRef(change)
  changeRef.current = change
  useEffect(() => {
    if (!loaded || time === null) return
    const timer = setTimeout(
      () =>
        changeRef.current((to) => {
          if (!to.has('v')) return
          if (time === first) to.delete('t')
          else to.set('t', time)
        }),
      SETTLE_MS,
    )
    return () => clearTimeout(timer)
  }, [loaded, time, first])
}
