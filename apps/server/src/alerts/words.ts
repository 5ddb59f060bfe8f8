import { ALERT_UNITS, type AlertMeasure } from '@radx/contracts'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Catchments } from '../config/catchments.ts'

/** What words are made with: the site's clocks and the names of its catchments. */
export interface Wording {
  timeZone: string
  catchments: Pick<Catchments, 'get'>
}

/** What is written of a value, with its unit. */
export function quantityFr(kind: AlertMeasure['kind'], value: number): string {
  const digits = ALERT_UNITS[kind] === 'mm/h' || ALERT_UNITS[kind] === 'mm' ? 2 : 0
  const years = ALERT_UNITS[kind] === 'ans'
  return `${formatNumberFr(value, years ? 1 : digits, true)}\u00a0${years && value < 2 ? 'an' : ALERT_UNITS[kind]}`
}

export const placeFr = (measure: AlertMeasure, catchments: Wording['catchments']): string => {
  // One that is gone since has its key only.
  const named = (key: string) => catchments.get(key)?.name ?? key
  const point = ({ lat, lng }: { lat: number; lng: number }) =>
    `au point ${formatNumberFr(lat, 4)}\u00a0N, ${formatNumberFr(lng, 4)}\u00a0E`
  switch (measure.kind) {
    case 'rain-rate':
    case 'rain-total':
    case 'rain-return': {
      const { place } = measure
      if (place.kind === 'point') return point(place)
      return `sur ${named(place.catchment)}${place.subcatchment === null ? '' : ` / ${named(place.subcatchment)}`}`
    }
    case 'rain-chance':
      return point(measure)
    case 'flood-cell':
      return `${measure.where ?? `maille ${measure.cell}`}, ${named(measure.catchmentId)}`
    case 'flood-node':
      return `nœud ${measure.name} de ${named(measure.catchmentId)}`
    case 'flood-link':
      return `conduite ${measure.name} de ${named(measure.catchmentId)}`
    case 'radar-down':
      return `produit ${measure.product}`
    case 'gauge-stuck':
      return `pluviomètre ${measure.gauge}`
    case 'no-cycle':
      return `bassin ${named(measure.catchmentId)}`
  }
}

const QUANTITIES: Record<AlertMeasure['kind'], string> = {
  'rain-rate': 'pluie',
  'rain-total': 'cumul de pluie',
  'rain-return': 'période de retour de la pluie',
  'rain-chance': 'probabilité de pluie',
  'flood-cell': 'probabilité d’eau',
  'flood-node': 'probabilité de débordement',
  'flood-link': 'probabilité de mise en charge',
  'radar-down': 'sans image de radar depuis',
  'gauge-stuck': 'pluie du radar sans réaction du pluviomètre',
  'no-cycle': 'sans prévision d’inondation depuis',
}

function detailFr(measure: AlertMeasure): string {
  if ('minutes' in measure) return ` en ${measure.minutes}\u00a0min`
  if (measure.kind === 'rain-chance')
    return ` de plus de ${formatNumberFr(measure.aboveMmH, 1, true)}\u00a0mm/h d’ici ${measure.withinMin}\u00a0min`
  if (measure.kind === 'flood-cell')
    return ` de plus de ${measure.aboveMm / 10}\u00a0cm d’ici ${measure.withinMin}\u00a0min`
  return 'withinMin' in measure ? ` d’ici ${measure.withinMin}\u00a0min` : ''
}

function sourceFr({ kind }: AlertMeasure, atMs: number, timeZone: string): string {
  const at = formatDateTimeFr(atMs, timeZone)
  if (kind === 'rain-chance' || kind.startsWith('flood-')) return `prévision émise à l’image du ${at}`
  if (kind === 'gauge-stuck') return `relevé du ${at}`
  return kind.startsWith('rain-') ? `image du ${at}` : `constaté pour le ${at}`
}

/** Why an alert was raised: what, where, how much, and from which image or forecast. */
export function crossingFr(
  measure: AlertMeasure,
  threshold: number,
  value: number,
  atMs: number,
  { timeZone, catchments }: Wording,
): string {
  const { kind } = measure
  const isSilence = kind === 'radar-down' || kind === 'no-cycle'
  const what = isSilence
    ? `${placeFr(measure, catchments)} ${QUANTITIES[kind]} `
    : `${QUANTITIES[kind]}${detailFr(measure)}, ${placeFr(measure, catchments)}\u00a0: `
  const much = `${quantityFr(kind, value)} (seuil ${quantityFr(kind, threshold)})`
  return sentence(`${what}${much}, ${sourceFr(measure, atMs, timeZone)}`)
}

const sentence = (text: string) => text[0].toUpperCase() + text.slice(1)

/** Why a rule is blind. */
export const missingFr = (
  measure: AlertMeasure,
  sinceMs: number,
  { timeZone, catchments }: Wording,
): string =>
  `Aucune valeur depuis le ${formatDateTimeFr(sinceMs, timeZone)}, ${placeFr(measure, catchments)}\u00a0: la règle ne surveille plus rien`
