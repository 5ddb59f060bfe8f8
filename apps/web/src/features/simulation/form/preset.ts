import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { callJson } from '../../../app/api/client.ts'
import type { SimulationJob } from '../api.ts'
import { chooseFile, leaveFile } from './land-use.ts'
import { chooseRain, fromSimulation, setRadarPeriod } from './state.ts'
import { changeForm } from './store.ts'

/**
 * What the address brings into a new form: `depuis` a run to start from, or radar rain as the address of an
 * analysis names it, product `p` and period `s`, `e`. A form that was found again has it already.
 */
export function usePreset(restored: boolean): { error: unknown; outdated: boolean } {
  const [params] = useSearchParams()
  const [error, setError] = useState<unknown>(null)
  const [outdated, setOutdated] = useState(false)
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
        // A land use of a version that has been replaced fits no run any more: everything else is taken over.
        const old = input.catchmentOutdated === true
        setOutdated(old)
        changeForm((state) => {
          const filled = fromSimulation(state, input)
          return old ? leaveFile(filled, filled.luseIdArr[0] ?? '') : chooseFile(filled, input.luseId)
        })
      })
      .catch((reason: unknown) => {
        if (!leave.signal.aborted) setError(reason)
      })
    return () => leave.abort()
  }, [restored, from])

  return { error, outdated }
}

function instant(text: string | null): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('.000Z', 'Z')
}
