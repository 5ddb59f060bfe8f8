import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRate } from '@radx/rainfall'
import { startState } from '../../apps/server/src/alerts/machine.ts'
import type { Config } from '../../apps/server/src/config/config.ts'
import type { LoadedSite } from '../../apps/server/src/config/site.ts'
import type { DatabaseHandle } from '../../apps/server/src/db/database.ts'
import { commitFrames } from '../../apps/server/src/store/commit-frames.ts'
import { openStore } from '../../apps/server/src/store/open-store.ts'
import { prepareFrame } from '../../apps/server/src/store/prepared-frame.ts'
import { zoneWeights } from '../../apps/server/src/store/zone-weights.ts'
import { httpReceiver } from '../../apps/server/src/testing/receivers.ts'
import { sourceFile } from '../../apps/server/src/testing/source-file.ts'

/** Closer than real images, so that a long run fits into the day that a rule looks back over. */
const STEP_MS = 10_000
const PRODUCT = 'sri'

/** Images of another product, wet and dry in turn, and a rule on them that calls a webhook here. */
export async function startAlertLoad(
  { db }: DatabaseHandle,
  config: Config,
  { site, catchments }: LoadedSite,
  owner: string,
) {
  const receiver = await httpReceiver()
  const store = await openStore({ db, config, site, catchments })
  const product = store.catalog.products.get(PRODUCT)!
  const startMs = Math.floor((Date.now() - 80_000_000) / 1000) * 1000
  const hook = await db
    .insertInto('alert_webhook')
    .values({ name: 'essai', url: receiver.url, username: owner })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('alert_rule')
    .values({
      ...{ username: owner, name: 'Averse', threshold: 10, clear: 5, min_minutes: 0, enabled: true },
      ...{ severity: 'warning', escalate_min: null, value: null, value_at: null, quiet: null },
      measure: JSON.stringify({
        ...{ kind: 'rain-rate', product: PRODUCT },
        place: { kind: 'zone', catchment: 'melun', subcatchment: null },
      }),
      state: JSON.stringify(startState(startMs - 1)),
      notify: JSON.stringify({ email: false, push: false, webhooks: [hook.id] }),
    })
    .execute()
  const stop = new AbortController()
  const crossings: number[] = []
  const running = (async () => {
    for (let k = 0; !stop.signal.aborted; k++) {
      const timeMs = startMs + k * STEP_MS
      const codes = new Uint16Array(product.steps ** 2).fill(encodeRate(k % 3 === 1 ? 20 : 1))
      const frame = prepareFrame(codes, zoneWeights(product, store.catalog.zones), {
        ...{ product: PRODUCT, timeMs, version: '5', name: 'SRI' },
        sensor: { name: 'X', wavelengthM: 0.03, beamwidthDeg: 1, altitudeM: 100 },
      })
      // Until it is in: its database is killed too.
      for (;;)
        try {
          await commitFrames(store.context, [{ frame, source: sourceFile(`alert ${k}`) }])
          break
        } catch {
          await sleep(200)
        }
      if (k % 3 === 1) crossings.push(timeMs)
      await sleep(100)
    }
  })()
  return {
    crossings,
    product: PRODUCT,
    /** Ids of what the webhook was called for, as often as it was. */
    called: () => receiver.calls.map(({ headers }) => String(headers['idempotency-key'])),
    stop: async () => {
      stop.abort()
      await running
      await store.threads.close()
    },
    end: () => receiver.stop(),
  }
}
