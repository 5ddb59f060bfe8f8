import type { OutputPart, SimulationOutput } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAddressParams } from '../../../app/address-params.ts'
import { callJson } from '../../../app/api/client.ts'
import { setTime, startClock, useClock } from '../../../player/run/clock.ts'
import { runSeconds, type SimulationJob } from '../api.ts'
import {
  NO_REFERENCE,
  type Reference,
  type ResultAddress,
  type ResultView,
  readAddress,
  toggleView,
  writeAddress,
} from './address.ts'

export { setTime, useClock } from '../../../player/run/clock.ts'
export { RESULT_VIEWS, type Reference, type ResultView } from './address.ts'

/** Moving the clock writes the address once the reader has settled on a moment. */
const SETTLE_MS = 300
/** The files of a large network have some megabytes. */
const OUTPUT_TIMEOUT_MS = 120_000

type OutputOf<T extends SimulationOutput['outputType']> = Extract<SimulationOutput, { outputType: T }>

/** An output of a run, its own or that of the reference, whole or in part; files of a finished run never change. */
export const outputQuery = <T extends SimulationOutput['outputType']>(
  jobId: string,
  outputType: T,
  part: Partial<OutputPart> = {},
) =>
  queryOptions({
    queryKey: ['simulation-output', jobId, outputType, part],
    queryFn: ({ signal }) =>
      callJson<OutputOf<T>>(`/api/multihydro/file/${jobId}/output`, {
        query: { outputType, ...part },
        signal,
        timeoutMs: OUTPUT_TIMEOUT_MS,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** What the parts of a result share by the page's address. */
export function useResult() {
  const [params, setParams] = useAddressParams()
  const change = useCallback(
    (make: (before: ResultAddress) => Partial<ResultAddress>) =>
      setParams((before) => writeAddress(before, make(readAddress(before)))),
    [setParams],
  )
  return useMemo(
    () => ({
      ...readAddress(params),
      /** Opens or closes an analysis. */
      show: (view: ResultView, open: boolean) =>
        change(({ outputs }) => ({ outputs: toggleView(outputs, view, open) })),
      choose: (reference: Reference | null) => change(() => ({ reference: reference ?? NO_REFERENCE })),
      change,
    }),
    [params, change],
  )
}

/**
 * Runs the one clock of a result; mounted once per page. It starts at the moment of the address, and goes where that leads:
 * by a link, by Back and Forward.
 */
export function useResultClock(job: SimulationJob, evenly = false): void {
  const { timeS, change } = useResult()
  const first = useRef(timeS)
  const endS = runSeconds(job)
  useEffect(() => startClock(endS, first.current, evenly), [endS, evenly])
  /** The moment that clock and address last agreed on. */
  const agreed = useRef(Math.round(timeS))
  useEffect(() => {
    if (Math.round(timeS) === agreed.current) return
    agreed.current = Math.round(timeS)
    setTime(timeS)
  }, [timeS])
  const settled = useClock((clock) => (clock.playing || clock.endS === 0 ? null : clock.timeS))
  useEffect(() => {
    if (settled === null || Math.round(settled) === Math.round(timeS)) return
    const timer = setTimeout(() => {
      agreed.current = Math.round(settled)
      change(() => ({ timeS: settled }))
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [settled, timeS, change])
}
