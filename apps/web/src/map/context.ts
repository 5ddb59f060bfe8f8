import { createContext, useContext } from 'react'
import type { RadxMap } from './createMap.ts'

export const MapContext = createContext<RadxMap | null>(null)

/** The map that the component stands on. @throws Error outside `RadarMap` */
export function useRadxMap(): RadxMap {
  const map = useContext(MapContext)
  if (map === null) throw new Error('useRadxMap outside RadarMap')
  return map
}
