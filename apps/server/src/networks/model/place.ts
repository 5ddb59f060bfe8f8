import type { NetworkModel } from '@radx/contracts'
import proj4 from 'proj4'
import { projectionNamed } from '../../config/projections.ts'
import { NetworkCrsUnknown } from '../errors.ts'

type Place = [number, number]

/** Positions of a system to longitude and latitude. @throws NetworkCrsUnknown */
export function toDegrees(crs: string): (at: Place) => Place {
  const text = projectionNamed(crs)
  if (text === undefined) throw new NetworkCrsUnknown(crs)
  const converter = proj4(text)
  return (at) => converter.inverse(at) as Place
}

/**
 * A model whose positions are taken to be of a system. Where one of them is no place of it on the map of the world, all stay
 * as the file has them, with a warning.
 */
export function placedIn(model: NetworkModel, crs: string): NetworkModel {
  if (model.placed !== 'file') return model
  const onEarth = toDegrees(crs)
  let wrong: string | null = null
  const move = (at: Place, name: string): Place => {
    const place = onEarth(at)
    if (!(Math.abs(place[0]) <= 180 && Math.abs(place[1]) <= 85)) wrong ??= name
    return place
  }
  const placed: NetworkModel = {
    ...model,
    placed: 'degrees',
    nodes: model.nodes.map((node) => ({ ...node, at: move(node.at, node.name) })),
    links: model.links.map((link) => ({ ...link, bends: link.bends.map((at) => move(at, link.name)) })),
    subcatchments: model.subcatchments.map((one) => ({
      ...one,
      ring: one.ring.map((at) => move(at, one.name)),
    })),
  }
  if (wrong === null) return placed
  const text = `les positions ne sont pas en ${crs} : celle de « ${wrong} » n'y est aucun lieu. Choisissez un autre code, ou le plan local.`
  return { ...model, warnings: [{ line: null, text }, ...model.warnings] }
}
