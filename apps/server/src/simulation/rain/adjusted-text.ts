import type { AdjustedAtSource } from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'

/** Whether the rain of a run came adjusted to gauges, in French. */
export function adjustedFr({ images, of, factors }: AdjustedAtSource): string {
  if (!factors) return 'aucun, pluie du produit tel que reçu'
  const [least, most] = factors.map((factor) => formatNumberFr(factor, 2))
  const by = least === most ? `facteur ${least}` : `facteurs de ${least} à ${most}`
  const which = images === of ? 'fait à la source' : `fait à la source sur ${images} images sur ${of}`
  return `${which}, ${by} (how/bias)`
}
