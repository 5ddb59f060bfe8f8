import type { RegisterFeature } from '../http/app.ts'
import { ogcContext } from './context.ts'
import { registerEdr } from './edr/routes.ts'
import { registerWms } from './wms/routes.ts'

/** Standards of the Open Geospatial Consortium: other tools read what they may have. */
export const registerOgc: RegisterFeature = async (app, deps) => {
  const context = ogcContext(app, deps)
  registerEdr(app, context)
  // It answers failures in its standard's own document.
  await app.register(async (scope) => registerWms(scope as typeof app, context))
}
