import type { AlertMeasure, AlertRule } from '@radx/contracts/alerts'
import { formatNumberFr } from '@radx/locale/format-fr'
import { alertTexts as texts } from '../../texts/alerts.ts'
import { placeKey } from './draft.ts'
import type { Choices } from './MeasureFields.tsx'

type Option = Choices['places'][number]

/** What one that is gone since is called: by its key. */
const named = (options: readonly Option[], key: string) =>
  options.find(({ value }) => value === key)?.label ?? key

const point = ({ lat, lng }: { lat: number; lng: number }) =>
  texts.pointAt(formatNumberFr(lat, 4), formatNumberFr(lng, 4))

/** What a rule looks at, in words. */
export function whereOf(
  measure: AlertMeasure,
  choices: Pick<Choices, 'places' | 'catchments' | 'products' | 'gauges'>,
): string {
  switch (measure.kind) {
    case 'rain-rate':
    case 'rain-total':
    case 'rain-return': {
      const { place } = measure
      if (place.kind === 'point') return point(place)
      const { catchment, subcatchment } = place
      return named(choices.places, subcatchment === null ? catchment : placeKey(catchment, subcatchment))
    }
    case 'rain-chance':
      return point(measure)
    case 'flood-cell':
      return `${measure.where ?? texts.cell(measure.cell)}, ${named(choices.catchments, measure.catchmentId)}`
    case 'flood-node':
    case 'flood-link':
      return `${measure.name}, ${named(choices.catchments, measure.catchmentId)}`
    case 'radar-down':
      return named(choices.products, measure.product)
    case 'gauge-stuck':
      return named(choices.gauges, measure.gauge)
    case 'no-cycle':
      return named(choices.catchments, measure.catchmentId)
  }
}

const plain = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'").toLowerCase()

/** Whether what is told of a rule has all of the words, in any case and without regard to accents. */
export function matches(
  { name, measure, phase }: Pick<AlertRule, 'name' | 'measure' | 'phase'>,
  where: string,
  words: string,
): boolean {
  const about = plain([name, texts.kind[measure.kind], texts.phase[phase], where].join(' '))
  return plain(words)
    .split(/\s+/)
    .every((word) => about.includes(word))
}
