import { useCallback, useMemo } from 'react'
import { useAddressParams } from '../app/address-params.ts'
import { useColorScheme } from '../app/color-scheme.ts'
import { DEFAULT_FROM_CM, FROM_CHOICES_CM, waterClasses } from './water-classes.ts'

const KEY = 'eau'

/** From which depth on maps show water, cm; the page's address carries it. */
export function useWaterFrom() {
  const [params, setParams] = useAddressParams()
  const scheme = useColorScheme()
  const asked = Number(params.get(KEY))
  const fromCm = FROM_CHOICES_CM.find((cm) => cm === asked) ?? DEFAULT_FROM_CM
  const setFromCm = useCallback(
    (cm: number) =>
      setParams((next) => {
        if (cm === DEFAULT_FROM_CM) next.delete(KEY)
        else next.set(KEY, String(cm))
        return next
      }),
    [setParams],
  )
  const classes = useMemo(() => waterClasses(scheme, fromCm), [scheme, fromCm])
  return { fromCm, setFromCm, classes }
}
