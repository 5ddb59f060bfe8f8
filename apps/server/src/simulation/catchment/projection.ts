import { RadxError } from '@radx/contracts'
import { projectionNamed } from '../../config/projections.ts'

/**
 * proj4 definition of the projected systems that catchments come in: those of `projectionText` in metres, but for
 * those that show the whole world on a cylinder, whose metres are not metres on the ground.
 * @throws RadxError for others
 */
export function projectionOf(crs: string): string {
  const text = projectionNamed(crs)
  if (text === undefined || !isOnGroundInMetres(text))
    throw new RadxError(
      'catchment.crs',
      422,
      `Le système de coordonnées ${crs} n’est pas pris en charge. Utilisez un système projeté en mètres : Lambert-93 (EPSG:2154), une zone CC (EPSG:3942 à 3950), UTM ou un autre du registre EPSG.`,
      { details: { crs } },
    )
  return text
}

const isOnGroundInMetres = (text: string): boolean =>
  /\+units=m(?=\s|$)/.test(text) && !/\+proj=(merc|eqc|cea|longlat|geocent)(?=\s|$)/.test(text)
