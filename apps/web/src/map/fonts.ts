import type { PublicSite } from '@radx/contracts/site'

/** Font of names that the map library writes: of the background's own glyphs, else the page's, drawn in the browser. */
export const labelFont = (tiles: PublicSite['tiles']): string =>
  tiles.kind === 'pmtiles' && tiles.glyphs ? 'Noto Sans Regular' : 'Inter Variable'
