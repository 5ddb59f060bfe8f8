import { shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import type { App } from '../../http/app.ts'
import type { OgcContext } from '../context.ts'
import type { FramePictures } from '../frames/pictures.ts'
import { answerFailures } from '../xml-failures.ts'
import { EXCEPTION_TYPE, exceptionReport, WmsError } from './exception.ts'
import { needed, wmsParameters } from './request.ts'
import { WmsService } from './service.ts'

const DESCRIPTION =
  'WMS 1.3.0 (et 1.1.1). REQUEST : GetCapabilities, GetMap, GetFeatureInfo, GetLegendGraphic. LAYERS : un produit ; ' +
  'CRS : EPSG:4326 (latitude d’abord en 1.3.0), CRS:84, EPSG:3857, EPSG:2154 ; TIME : instant ISO 8601, intervalle ou ' +
  'current ; FORMAT : image/png ; TRANSPARENT, BGCOLOR, STYLES. Sans jeton : les trois dernières heures. L’en-tête ' +
  'radx-time dit l’instant de l’image. Les erreurs sont des ServiceExceptionReport.'

/** Frames as a web map service, for QGIS, portals and supervision. */
export function registerWms(app: App, context: OgcContext, pictures: FramePictures): void {
  const wms = new WmsService(context, pictures)
  answerFailures(app, EXCEPTION_TYPE, exceptionReport)

  app.get(
    '/ogc/wms',
    {
      schema: {
        summary: 'Images du radar par WMS',
        description: DESCRIPTION,
        tags: ['ogc'],
        querystring: z.record(shortText(), z.union([shortText(), z.array(shortText()).max(8)])),
      },
    },
    async (request, reply) => {
      const asked = wmsParameters(request.query)
      const service = asked.get('SERVICE')
      if (service !== undefined && service.toUpperCase() !== 'WMS')
        throw new WmsError('InvalidParameterValue', 'SERVICE attend WMS.')
      // A version of before is answered by the one below it that there is, any other by the newest (6.2.4).
      const wanted = asked.get('VERSION') ?? asked.get('WMTVER') ?? '1.3.0'
      const version = /^1\.[012]/.test(wanted) ? '1.1.1' : '1.3.0'
      switch (needed(asked, 'REQUEST').toLowerCase()) {
        case 'getcapabilities':
        case 'capabilities':
          return wms.capabilities(request, reply, version)
        case 'getmap':
        case 'map':
          return wms.map(request, reply, asked, version)
        case 'getfeatureinfo':
          return wms.info(request, reply, asked, version)
        case 'getlegendgraphic':
          return wms.legend(request, reply, asked)
        default:
          throw new WmsError(
            'OperationNotSupported',
            'REQUEST attend GetCapabilities, GetMap, GetFeatureInfo ou GetLegendGraphic.',
          )
      }
    },
  )
}
