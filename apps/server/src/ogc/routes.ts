import type { RegisterFeature } from '../http/app.ts'
import { ogcContext } from './context.ts'
import { registerEdr } from './edr/routes.ts'
import { registerFeatures } from './features/routes.ts'
import { FramePictures } from './frames/pictures.ts'
import { registerMaps } from './maps/routes.ts'
import { registerStac } from './stac/routes.ts'
import { registerWms } from './wms/routes.ts'
import { registerWmts } from './wmts/routes.ts'
import { registerZarr } from './zarr/routes.ts'

/** Standards of the Open Geospatial Consortium: other tools read what they may have. */
export const registerOgc: RegisterFeature = async (app, deps) => {
  const context = ogcContext(app, deps)
  const pictures = new FramePictures(context)
  registerEdr(app, context)
  registerFeatures(app, context)
  registerStac(app, context)
  registerMaps(app, context, pictures)
  registerZarr(app, context)
  // They answer failures in their standards' own documents.
  await app.register(async (scope) => registerWms(scope as typeof app, context, pictures))
  await app.register(async (scope) => registerWmts(scope as typeof app, context, pictures))
}
