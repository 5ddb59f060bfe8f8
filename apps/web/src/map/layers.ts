import { useEffect } from 'react'
import { useRadxMap } from './context.ts'
import type { RadxMap } from './createMap.ts'

type LibraryMap = RadxMap['map']

/**
 * Puts something into the map's style and takes it out again. A style starts anew after a lost graphics
 * context: it is then put in again.
 * @param add memoised; answers what takes it out
 */
export function useStyleContent(add: (map: LibraryMap) => () => void): void {
  const { map } = useRadxMap()
  useEffect(() => {
    let remove: (() => void) | null = null
    const put = () => {
      remove = add(map)
    }
    // Before the first load the style cannot take anything.
    if (map.getLayer('ground')) put()
    map.on('style.load', put)
    return () => {
      map.off('style.load', put)
      // The map itself may have gone first.
      if (map.style) remove?.()
    }
  }, [map, add])
}

/**
 * Places an element of the page on the map, now and whenever the map moves.
 * @param place memoised
 */
export function useOnMap(place: () => void): void {
  const { map } = useRadxMap()
  useEffect(() => {
    place()
    map.on('move', place)
    map.on('resize', place)
    return () => {
      map.off('move', place)
      map.off('resize', place)
    }
  }, [map, place])
}

/** Takes layers and sources out, those that are there. */
export function removeFromStyle(map: LibraryMap, layers: readonly string[], source: string): void {
  for (const id of layers) if (map.getLayer(id)) map.removeLayer(id)
  if (map.getSource(source)) map.removeSource(source)
}
