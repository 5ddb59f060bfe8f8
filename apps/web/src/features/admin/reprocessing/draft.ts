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
  /** Obstacles, one a line: from and to (degrees), distance (km), top (degrees). */
  horizon: string
}

export const NO_CHANGE: Draft = {
  ...{ sweeps: '', highestDeg: '', alpha: '', b: '', rainA: '', rainB: '' },
  noPhase: '',
  noHorizon: false,
  horizon: '',
}

type Obstacle = NonNullable<ReprocessingParameters['horizon']>[number]

/** Obstacles as the lines of the field have them. */
export const horizonText = (horizon: readonly Obstacle[]): string =>
  horizon
    .map(({ fromDeg, toDeg, distanceKm, topDeg }) =>
      [fromDeg, toDeg, distanceKm, topDeg].map((value) => String(value).replace('.', ',')).join(' '),
    )
    .join('\n')

/** The obstacles of lines with four numbers each; null where a line is none. */
export function horizonOf(text: string): Obstacle[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const all = lines.map((line): Obstacle | null => {
    const numbers = line
      .trim()
      .split(/[\s;]+/)
      .map((word) => Number(word.replace(',', '.')))
    const [fromDeg, toDeg, distanceKm, topDeg] = numbers
    const within = (value: number, least: number, most: number): boolean => value >= least && value <= most
    const isOne =
      numbers.length === 4 &&
      within(fromDeg, 0, 360) &&
      within(toDeg, 0, 360) &&
      within(distanceKm, 0, 500) &&
      within(topDeg, -5, 90)
    return isOne ? { fromDeg, toDeg, distanceKm, topDeg } : null
  })
  return all.length <= 720 && all.every((one) => one !== null) ? all : null
}

/** What is sent of a draft. Half of a rain law is none: the field that is missing says so by the button that waits. */
export function parametersOf(draft: Draft): ReprocessingParameters | null {
  const { rainA, rainB, noPhase, noHorizon } = draft
  const horizon = horizonOf(draft.horizon)
  if (horizon === null) return null
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
    ...(noHorizon ? { horizon: [] } : horizon.length > 0 && { horizon }),
  }
}
