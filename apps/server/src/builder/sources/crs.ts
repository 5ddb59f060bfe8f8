import proj4 from 'proj4'
import { projectionNamed } from '../../config/projections.ts'
import { SourceRefused } from '../findings.ts'
import type { Place } from '../grid.ts'

/** A system of coordinates: how messages call it, and what proj4 takes. */
export interface Crs {
  name: string
  definition: string
}

/** Moves places from one system to another; null where both are the same, so that nothing is rounded. */
export type Mover = ((place: Place) => [number, number]) | null

/** @throws SourceRefused for a code that RadX does not know */
export function crsOf(name: string): Crs {
  const definition = projectionNamed(name)
  if (definition === undefined)
    throw new SourceRefused(
      `le système de coordonnées ${name} n’est pas pris en charge. Convertissez la couche en Lambert-93 (EPSG:2154), dans une zone CC (EPSG:3942 à 3950), en UTM ou en WGS84 (EPSG:4326).`,
    )
  return { name, definition }
}

export const WGS84 = 'EPSG:4326'

/** Differences below this, m or degrees, are those of writing the same system in other words. */
const SAME = 1e-6

/** @param probes places of the layer, by which two spellings of one system are told to be one */
export function moverOf(from: Crs, to: Crs, probes: readonly Place[]): Mover {
  if (from.name === to.name) return null
  const { forward } = proj4(from.definition, to.definition)
  const move = (place: Place): [number, number] => forward([place[0], place[1]]) as [number, number]
  const same =
    probes.length > 0 &&
    probes.every((place) => {
      const [x, y] = move(place)
      return Math.abs(x - place[0]) < SAME && Math.abs(y - place[1]) < SAME
    })
  return same ? null : move
}

export const isDegrees = ({ definition }: Crs): boolean => /\+proj=longlat|^GEOGCS/.test(definition)
