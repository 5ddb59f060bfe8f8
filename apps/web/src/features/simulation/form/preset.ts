import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { callJson } from '../../../app/api/client.ts'
import type { SimulationJob } from '../api.ts'
import { chooseFile } from './land-use.ts'
import { chooseRain, fromSimulation, setRadarPeriod } from './state.ts'
import { changeForm } from './store.ts'

/**
 * What the address brings into a new form: `depuis` a run to start from, or radar rain as the address of an
 * analysis names it, product `p` and period `s`, `e`. A form that was found again has it already.
 */
export function usePreset(restored: boolean): { error: unknown } {
  const [params] = useSearchParams()
  const [error, setError] = useState<unknown>(null)
  const from = params.get('depuis')
  const [s, e] = [instant(params.get('s')), instant(params.get('e'))]
  const product = params.get('p')

  useEffect(() => {
    if (restored || s === null || e === null || Date.parse(e) <= Date.parse(s)) return
    changeForm((state) => setRadarPeriod(chooseRain(state, 'radar'), product ?? state.product, { s, e }))
  }, [restored, s, e, product])

  useEffect(() => {
    if (restored || from === null) return
    const leave = new AbortController()
    callJson<SimulationJob>(`/api/job/${encodeURIComponent(from)}`, { signal: leave.signal })
      .then(({ input }) => {
        changeForm((state) => chooseFile(fromSimulation(state, input), input.luseId))
      })
      .catch((reason: unknown) => {
        if (!leave.signal.aborted) setError(reason)
      })
    return () => leave.abort()
  }, [restored, from])

  return { error }
}

function instant(text: string | null): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}
