import { ARCHIVE_STEPS_S } from '@radx/contracts/constants'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAddressParams } from '../../app/address-params.ts'
import { parseOpacity } from '../../player/values.ts'
import { type SelectionGround, selectionOf, writeSelection } from '../../selection/address.ts'
import { chosenPeriod, type Selection } from '../../selection/selection.ts'
import { isLong } from '../../selection/useWeight.ts'
import { currentImage, useArchive } from './archive/store.ts'

const SETTLE_MS = 250
const ADJUSTED = /^(mfb|additive|multiplicative|mixed|ked)\.(live|hindsight)$/

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
  /** Seconds between the images of a long period; null is every image. */
  step: number | null
  setStep: (step: number | null) => void
  /** The map shows the accumulation of the period. */
  cumul: boolean
  setCumul: (cumul: boolean) => void
  /** The map shows the product adjusted to gauges, `method.mode`; null the original. */
  adjusted: string | null
  setAdjusted: (adjusted: string | null) => void
}

/**
 * The analysis screen's address: the selection, `v` once it is loaded, `t` moment, `o` opacity, `k` step of the
 * images in seconds, `a` for the accumulation map, `j` for the product adjusted to gauges, `g` gauges, `table` by
 * which return periods are told. A reload, the back button and a colleague get the same view.
 */
export function useAnalysisAddress(ground: SelectionGround): AnalysisAddress {
  const [params, setParams] = useAddressParams()
  const selection = useMemo(() => selectionOf(params, ground), [params, ground])
  const loaded = params.has('v') && chosenPeriod(selection) !== null

  const change = useCallback(
    (edit: (next: URLSearchParams) => void, replace = true) =>
      setParams(
        (next) => {
          edit(next)
          return next
        },
        { replace },
      ),
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
        for (const name of next ? ['t', 'a', 'k', 'j'] : ['t', 'a', 'j']) to.delete(name)
        to.set('v', '1')
      }, false),
    [change, ground],
  )
  const unload = useCallback(
    () =>
      change((to) => {
        for (const name of ['v', 't', 'a', 'j']) to.delete(name)
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

  const setStep = useCallback(
    (value: number | null) =>
      change((to) => {
        if (value === null) to.delete('k')
        else to.set('k', String(value))
      }),
    [change],
  )
  const setAdjusted = useCallback(
    (value: string | null) =>
      change((to) => {
        if (value === null) to.delete('j')
        else to.set('j', value)
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
    step: stepOf(params.get('k'), selection),
    setStep,
    cumul: loaded && params.has('a'),
    setCumul,
    adjusted: loaded && ADJUSTED.test(params.get('j') ?? '') ? params.get('j') : null,
    setAdjusted,
  }
}

/** The step that an address asks for: one of those offered, and for a long period only. */
function stepOf(text: string | null, selection: Selection): number | null {
  const period = chosenPeriod(selection)
  const step = ARCHIVE_STEPS_S.find((seconds) => String(seconds) === text)
  return step !== undefined && period !== null && isLong(period) ? step : null
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
