import { useCallback, useMemo } from 'react'
import { useAddressParams } from '../app/address-params.ts'
import { useColorScheme } from '../app/color-scheme.ts'
import {
  DEFAULT_FROM_CM,
  FROM_CHOICES_CM,
  readLimits,
  WATER_LIMITS_CM,
  waterClasses,
} from './water-classes.ts'

const KEY = 'eau'
const CLASSES = 'classes'

/** From which depth on maps show water, and in which classes, cm; the page's address carries both. */
export function useWaterFrom() {
  const [params, setParams] = useAddressParams()
  const scheme = useColorScheme()
  const own = params.get(CLASSES)
  const limits = useMemo(() => (own === null ? null : readLimits(own)), [own])
  const asked = Number(params.get(KEY))
  const usual = FROM_CHOICES_CM.find((cm) => cm === asked) ?? DEFAULT_FROM_CM
  // Who says which classes there are says where they begin.
  const fromCm = limits ? limits[0] : usual
  const set = useCallback(
    (key: string, text: string) =>
      setParams((next) => {
        if (text === '') next.delete(key)
        else next.set(key, text)
        return next
      }),
    [setParams],
  )
  const setFromCm = useCallback((cm: number) => set(KEY, cm === DEFAULT_FROM_CM ? '' : String(cm)), [set])
  /** null: the usual classes. */
  const setLimits = useCallback(
    (next: readonly number[] | null) => set(CLASSES, next ? next.join('-') : ''),
    [set],
  )
  const classes = useMemo(
    () => waterClasses(scheme, fromCm, limits ?? WATER_LIMITS_CM),
    [scheme, fromCm, limits],
  )
  return { fromCm, setFromCm, limits, setLimits, classes }
}
