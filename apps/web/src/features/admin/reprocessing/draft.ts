import type { ReprocessingParameters } from '@radx/contracts/reprocessing'
import type { SitePolarimetry } from '@radx/contracts/site'

/** Settings as the fields have them; an empty one stays the site's. */
export interface Draft {
  sweeps: number | string
  highestDeg: number | string
  alpha: number | string
  b: number | string
  rainA: number | string
  rainB: number | string
  noPhase: SitePolarimetry['noPhase'] | ''
  noHorizon: boolean
}

export const NO_CHANGE: Draft = {
  ...{ sweeps: '', highestDeg: '', alpha: '', b: '', rainA: '', rainB: '' },
  noPhase: '',
  noHorizon: false,
}

/** What is sent of a draft. Half of a rain law is none: the field that is missing says so by the button that waits. */
export function parametersOf(draft: Draft): ReprocessingParameters | null {
  const { rainA, rainB, noPhase, noHorizon } = draft
  if ((rainA === '') !== (rainB === '')) return null
  const number = (key: 'sweeps' | 'highestDeg' | 'alpha' | 'b') =>
    draft[key] === '' ? {} : { [key]: Number(draft[key]) }
  return {
    ...number('sweeps'),
    ...number('highestDeg'),
    ...number('alpha'),
    ...number('b'),
    ...(rainA !== '' && { rainOfA: { a: Number(rainA), b: Number(rainB) } }),
    ...(noPhase !== '' && { noPhase }),
    ...(noHorizon && { horizon: [] }),
  }
}
