import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { RADX_VERSION } from '@radx/contracts'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { App } from './app.ts'

/** Collects the routes' schemas; must run before they are declared. */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: {
        title: 'RadX',
        version: RADX_VERSION,
        description: 'Pluie par radar bande X, simulation hydrologique urbaine et micro radar de pluie.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url, route, ...rest }) => {
      const done = jsonSchemaTransform({ schema, url, route, ...rest })
      const access = route.config?.right?.access ?? 'public'
      return access === 'public' || !done.schema
        ? done
        : { ...done, schema: { ...done.schema, security: [{ bearer: [] }] } }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { validatorUrl: null } })
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
