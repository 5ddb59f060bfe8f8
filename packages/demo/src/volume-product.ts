import type { Site } from '@radx/contracts/site'
import { HORIZON } from './volume/obstacles.ts'

/** Product of the demonstration's polar volumes: its own, so that no series holds two kinds of frames. */
export const VOLUME_PRODUCT = 'volume'

/** Between two volumes. */
export const VOLUME_EVERY_MS = 3_600_000
/** Volumes that are kept. */
export const VOLUMES_KEPT = 24

/** The site with the product of the demonstration's volumes, on the default product's grid, and with what stands around its radar. */
export function withVolumes(site: Site): Site {
  if (site.products.some(({ shortName }) => shortName === VOLUME_PRODUCT)) return site
  const grid = site.products.find(({ shortName }) => shortName === site.defaultProduct)!
  const product = {
    ...grid,
    shortName: VOLUME_PRODUCT,
    longName: 'VOLUME – pluie des volumes polarimétriques de la démonstration',
    frameSeconds: VOLUME_EVERY_MS / 1000,
  }
  return {
    ...site,
    products: [...site.products, product],
    polarimetry: { ...site.polarimetry, horizon: HORIZON },
  }
}

/** The site as its other instruments see it. */
export const withoutVolumes = (site: Site): Site => ({
  ...site,
  products: site.products.filter(({ shortName }) => shortName !== VOLUME_PRODUCT),
})

/** Instants of the volumes that are kept at a moment, newest first. */
export function volumeInstants(nowMs: number): number[] {
  const newest = Math.floor(nowMs / VOLUME_EVERY_MS) * VOLUME_EVERY_MS
  return Array.from({ length: VOLUMES_KEPT }, (_, k) => newest - k * VOLUME_EVERY_MS)
}
