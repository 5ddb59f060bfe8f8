import { comparisonAnswer } from './gauges/comparison.ts'
import { newestGauges } from './gauges/queries.ts'
import { siteGauges } from './gauges/reported.ts'
import { returnPeriodsAnswer } from './storms/depths.ts'
import type { AnswerKind } from './threads/answers.ts'

/** The longest period that both answers take. */
const MONTH_MS = 31 * 86_400_000
const POINTS = 12
/** As many gauges as a comparison may be expected to have. */
const GAUGES = 50

/**
 * The newest month of the radar looked at for nobody, at places near it and at the gauges of the site. A thread that did so
 * has its code compiled and the database at hand, which takes longer than the answer that somebody asks for next.
 */
export const firstLookAnswer: AnswerKind<null, null> = {
  name: 'first-look',
  async run(context) {
    const { store, site } = context
    const product = store.catalog.products.get(site.defaultProduct)
    const latestMs = product ? await store.index.latest(product) : null
    if (latestMs === null) return null
    const { lat, lng } = site.radar.position
    const asked = {
      product: site.defaultProduct,
      span: { startMs: latestMs - MONTH_MS, endMs: latestMs },
      method: 'moved' as const,
    }
    const points = Array.from({ length: POINTS }, (_, k) => ({ lat: lat + k / 100, lng: lng + k / 100 }))
    for (const table of site.montana.slice(0, 1))
      await returnPeriodsAnswer.run(context, {
        ...asked,
        zones: [],
        points,
        table: { ...table, owner: 'site' },
      })
    const gauges = [...siteGauges(site), ...(await newestGauges(context.db, GAUGES))].slice(0, GAUGES)
    // Twice: what a thread compiles for one look, it still does badly at the second.
    for (const chosen of [gauges[0]?.id ?? null, gauges.at(-1)?.id ?? null])
      await comparisonAnswer.run(context, { ...asked, stepMin: 15, gauges, chosen, raw: false })
    return null
  },
}
