/**
 * Zooms of the site file and of the specification count in tiles of 256 px, as tile services do; the map
 * library counts in tiles of 512 px, one less for the same picture.
 */
export const libraryZoom = (tileZoomLevel: number) => tileZoomLevel - 1
export const tileZoom = (libraryZoomLevel: number) => libraryZoomLevel + 1
