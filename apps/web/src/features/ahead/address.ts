import { AHEAD_DEPTHS_MM } from '@radx/contracts/ahead'
import { useCallback } from 'react'
import { useAddressParams } from '../../app/address-params.ts'
import type { Place } from './api.ts'

export interface Address {
  /** Catchment; null for the first that is forecast. */
  c: string | null
  /** Issue that is looked at; null follows the newest. */
  t: string | null
  above: (typeof AHEAD_DEPTHS_MM)[number]
  /** Moment of the forecast, by its place. */
  at: number
  place: Place | null
  /** Runs of what was tried last from a forecast: with the change and without. */
  tried: { changed: string; unchanged: string } | null
}

const KINDS = ['cell', 'node', 'link'] as const

/** What an address says; what makes no sense counts as absent. */
export function readAddress(params: URLSearchParams): Address {
  const t = params.get('t')
  const [kind, ...rest] = (params.get('v') ?? '').split(':')
  const known = KINDS.find((one) => one === kind)
  const name = rest.join(':')
  return {
    c: params.get('c'),
    t: t !== null && !Number.isNaN(Date.parse(t)) ? new Date(t).toISOString() : null,
    above: AHEAD_DEPTHS_MM.find((mm) => String(mm) === params.get('h')) ?? 50,
    at: Math.max(0, Math.floor(Number(params.get('m') ?? 0)) || 0),
    place: known && name !== '' ? { kind: known, name } : null,
    tried: readTried(params.get('e') ?? ''),
  }
}

function readTried(text: string): Address['tried'] {
  const [changed, unchanged] = text.split('.')
  return UUID.test(changed) && UUID.test(unchanged ?? '') ? { changed, unchanged } : null
}

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

const written: { [K in keyof Address]: (address: Address) => [string, string | null] } = {
  c: ({ c }) => ['c', c],
  t: ({ t }) => ['t', t],
  above: ({ above }) => ['h', above === 50 ? null : String(above)],
  at: ({ at }) => ['m', at === 0 ? null : String(at)],
  tried: ({ tried }) => ['e', tried && `${tried.changed}.${tried.unchanged}`],
  place: ({ place }) => ['v', place && `${place.kind}:${place.name}`],
}

/** The address of the screen, and how to change it: a colleague who opens it sees the same. */
export function useAddress(): [Address, (change: Partial<Address>) => void] {
  const [params, setParams] = useAddressParams()
  const change = useCallback(
    (values: Partial<Address>) =>
      setParams(
        (next) => {
          const whole = { ...readAddress(next), ...values }
          for (const key of Object.keys(values) as (keyof Address)[]) {
            const [name, value] = written[key](whole)
            if (value === null) next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        // Each moment of a film is no page of its own; two quick steps of the clock are two.
        { replace: !('t' in values || 'c' in values), preventScrollReset: false, flushSync: true },
      ),
    [setParams],
  )
  return [readAddress(params), change]
}
