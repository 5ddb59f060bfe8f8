import type { ObservedPlace, ObservedQuantity } from '@radx/contracts/calibration'
import { RadxError } from '@radx/contracts/errors'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { gridCellAt, someOf } from '../catchment/package-network.ts'

/** What of a simulation is compared with a series: an element of the network, or cells, of which the deepest counts. */
export type Target =
  | { of: 'link'; at: number }
  | { of: 'node'; at: number }
  | { of: 'cells'; cells: number[] }

export interface PlacedTarget {
  target: Target
  /** What a measured level lies above, m: a node's bottom or the ground; 0 for depths and flows. */
  datumM: number
}

class PlaceError extends RadxError {
  override readonly name = 'PlaceError'
  constructor(messageFr: string) {
    super('calibration.config', 422, messageFr)
  }
}

export function placeFr(place: ObservedPlace): string {
  switch (place.kind) {
    case 'node':
      return `nœud ${place.name}`
    case 'link':
      return `tronçon ${place.name}`
    case 'street':
      return `rue ${place.name}`
    case 'point':
      return `point ${place.x} ; ${place.y}`
  }
}

/**
 * What a place is in a catchment.
 * @throws PlaceError for a place that it lacks, or where such a quantity is not simulated
 */
export function targetOf(
  place: ObservedPlace,
  quantity: ObservedQuantity,
  { network, elevation, streets }: Pick<CatchmentPackage, 'network' | 'elevation' | 'streets'>,
): PlacedTarget {
  const fits = place.kind === 'link' ? quantity === 'flow' : quantity !== 'flow'
  if (!fits)
    throw new PlaceError(
      `${placeFr(place)} : ${quantity === 'flow' ? 'un débit se compare sur un tronçon du réseau' : 'une hauteur ou un niveau se compare sur un nœud, une rue ou un point'}.`,
    )
  switch (place.kind) {
    case 'link':
      return { target: { of: 'link', at: indexOf(network.links, place) }, datumM: 0 }
    case 'node': {
      const at = indexOf(network.nodes, place)
      return { target: { of: 'node', at }, datumM: quantity === 'level' ? network.nodes[at].invertM : 0 }
    }
    case 'street': {
      if (quantity === 'level')
        throw new PlaceError(`${placeFr(place)} : sur une rue, donner la hauteur d’eau, pas le niveau.`)
      const street = streets?.names.indexOf(place.name) ?? -1
      if (street < 0)
        throw new PlaceError(
          `« ${place.name} » n’est pas une rue du bassin. ${streets ? `Rues : ${someOf([...streets.names])}.` : 'Ce bassin n’a pas de streets.geojson.'}`,
        )
      const cells: number[] = []
      streets!.ofCell.forEach((owner, cell) => {
        if (owner === street) cells.push(cell)
      })
      return { target: { of: 'cells', cells }, datumM: 0 }
    }
    case 'point': {
      const cell = gridCellAt(elevation, place.x, place.y)
      if (cell < 0 || Number.isNaN(elevation.data[cell]))
        throw new PlaceError(`${placeFr(place)} : hors du bassin versant.`)
      return {
        target: { of: 'cells', cells: [cell] },
        datumM: quantity === 'level' ? elevation.data[cell] : 0,
      }
    }
  }
}

function indexOf(items: readonly { name: string }[], place: { kind: string; name: string }): number {
  const at = items.findIndex(({ name }) => name === place.name)
  if (at >= 0) return at
  const what = place.kind === 'link' ? 'un tronçon' : 'un nœud'
  throw new PlaceError(
    items.length === 0
      ? `« ${place.name} » n’est pas ${what} : le bassin n’a pas de réseau.`
      : `« ${place.name} » n’est pas ${what} du réseau. Par exemple : ${someOf(items.map(({ name }) => name))}.`,
  )
}
