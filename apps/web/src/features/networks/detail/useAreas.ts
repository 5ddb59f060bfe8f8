import { NETWORK_CURVES_MAX } from '@radx/contracts/networks-constants'
import { useAddressParams } from '../../../app/address-params.ts'

const NAME = 'bassin'

/** Subcatchments whose curves are drawn, as the address has them. */
export function useAreas(): { asked: readonly string[]; toggle: (name: string) => void } {
  const [params, setParams] = useAddressParams()
  const asked = [...new Set(params.getAll(NAME))].slice(0, NETWORK_CURVES_MAX)
  const toggle = (name: string) =>
    setParams((after) => {
      const before = after.getAll(NAME)
      const next = before.includes(name) ? before.filter((one) => one !== name) : [...before, name]
      after.delete(NAME)
      for (const one of next.slice(0, NETWORK_CURVES_MAX)) after.append(NAME, one)
      return after
    })
  return { asked, toggle }
}
