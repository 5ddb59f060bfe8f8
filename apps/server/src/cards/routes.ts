import { LRUCache } from 'lru-cache'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { App, Deps } from '../http/app.ts'
import { NEWEST, share } from '../http/caching.ts'
import { storeOf } from '../store/open-store.ts'
import { answersOf } from '../threads/answers.ts'
import { cardAnswer } from './drawing.ts'

/** The newest frame's card, and the one before for who still asks with its tag. */
const KEPT = 2

/** Pictures of links to this site. They show the live window's newest image, whatever the link: that is everyone's. */
export function registerCards(app: App, deps: Deps): void {
  const answers = answersOf(app, deps)
  const drawn = new LRUCache<string, Promise<Buffer>>({ max: KEPT })
  app.get(
    '/cards/direct.png',
    {
      schema: { summary: "Image d'un lien vers la plateforme : la dernière image du radar", tags: ['links'] },
    },
    async (request, reply) => {
      const away = deps.database.unavailable()
      if (away !== null) throw new DatabaseUnavailable(away)
      const { site } = deps
      const store = await storeOf(deps)
      const product = store.catalog.products.get(site.defaultProduct)!
      const timeMs = await store.index.latest(product)
      const key = String(timeMs)
      const known =
        drawn.get(key) ??
        answers
          .make(
            cardAnswer,
            {
              site: site.name,
              timeZone: site.timeZone,
              product: { shortName: product.shortName, bounds: product.bounds },
              timeMs,
              towns: site.towns,
            },
            request,
          )
          .then(({ body }) => Buffer.from(body))
      drawn.set(key, known)
      known.catch(() => drawn.delete(key))
      share(request, reply, NEWEST)
      // Other sites show it beside the link.
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return reply.type('image/png').send(await known)
    },
  )
}
