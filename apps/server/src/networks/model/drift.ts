import type { Sewer } from '@radx/hydrology/sewer/types'

/** Beyond this share of all water EPA SWMM's own results count as doubtful. */
const DOUBTFUL = 0.02
/** Of less water than this no share is worth a word: pipes hold a film from the start, m3. */
const LEAST_M3 = 0.1

/**
 * Warns when the heads of the explicit scheme have gone far from the volumes that its exact balance carries: EPA SWMM's continuity
 * error, which the balance alone would hide.
 * @returns French; null when there is nothing to tell
 */
export function driftWarning(sewer: Pick<Sewer, 'drift' | 'totals'>): string | null {
  if (!sewer.drift) return null
  const { initial, inflow } = sewer.totals()
  const drift = sewer.drift()
  const water = initial + Math.abs(inflow)
  if (water < LEAST_M3) return null
  const share = Math.abs(drift) / water
  if (share <= DOUBTFUL) return null
  const percent = (100 * share).toLocaleString('fr-FR', { maximumFractionDigits: 1 })
  const volume = Math.abs(drift).toLocaleString('fr-FR', { maximumSignificantDigits: 3 })
  return [
    `Les hauteurs d’eau s’écartent du bilan de ${percent} % de l’eau du réseau`,
    `(${volume} m³ de ${drift > 0 ? 'trop' : 'moins'}, erreur de continuité au sens d’EPA SWMM) : les résultats sont douteux.`,
    'Réduire ROUTING_STEP ou HEAD_TOLERANCE, ou comparer avec --implicit.',
  ].join(' ')
}
