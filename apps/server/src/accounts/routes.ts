import { setTimeout as sleep } from 'node:timers/promises'
import { csvSettingSchema, loginAnswerSchema, loginBodySchema, logoutAnswerSchema } from '@radx/contracts'
import { originOf, record } from '../audit/api.ts'
import { keepDoing } from '../background.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { App, Deps } from '../http/app.ts'
import { bearerToken } from '../http/authorize.ts'
import type { Session } from '../http/sessions.ts'
import { registerAccessTokens } from './access-tokens/routes.ts'
import { registerAccountAdministration } from './admin-routes.ts'
import { settleDemoAccounts } from './demo.ts'
import { TooManyLogins } from './errors.ts'
import { Login } from './login.ts'
import { registerOwnData } from './own-data-routes.ts'
import { registerOwnAccount } from './own-routes.ts'
import { updateAccount } from './queries.ts'
import { registerSecondFactor } from './second-factor/routes.ts'
import { Seeds } from './second-factor/seeds.ts'
import { type AccountSessions, accountSessions } from './sessions.ts'
import { sweepThrottle } from './throttle.ts'

const LOGIN_BODY_BYTES = 16 * 1024
/** A login that comes before those accounts waits this long. */
const SETTLE_WAIT_MS = 3_000
const SWEEP_MS = 10 * 60 * 1000
/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1

export function registerAccounts(app: App, deps: Deps): void {
  const { db, clock, config, site, log } = deps
  const sessions = accountSessions(db, clock, config.accounts)
  // Nobody signs in before the demonstration's accounts are opened or closed.
  const settled = Promise.withResolvers<true>()
  if (!config.demo) settled.resolve(true)
  const seeds = new Seeds(db, config.dataDir, config.accounts.seedKey)
  const login = new Login({
    db,
    clock,
    sessions,
    log,
    rules: config.accounts,
    seeds,
    timeZone: site.timeZone,
  })

  app.post(
    '/api/users/login',
    {
      bodyLimit: LOGIN_BODY_BYTES,
      schema: {
        summary: 'Ouvre une session',
        tags: ['accounts'],
        body: loginBodySchema,
        response: { 200: loginAnswerSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const late = sleep(SETTLE_WAIT_MS, false, { ref: false })
      if (!(await Promise.race([settled.promise, late])))
        throw new DatabaseUnavailable('comptes de démonstration en préparation')
      try {
        const from = { address: request.ip, userAgent: request.headers['user-agent'] }
        return await login.run(request.body, from)
      } catch (error) {
        if (error instanceof TooManyLogins) reply.header('retry-after', error.retryAfterSeconds)
        throw error
      }
    },
  )

  app.post(
    '/api/users/logout',
    { schema: { summary: 'Termine la session', tags: ['accounts'], response: { 200: logoutAnswerSchema } } },
    async (request) => {
      await sessions.close(bearerToken(request)!)
      await record(db, originOf(request, clock.now()), { action: 'logout', subject: request.session?.name })
      return { loggedOut: true as const }
    },
  )

  registerCsvSetting(app, deps)
  registerOwnAccount(app, deps)
  registerOwnData(app, deps)
  registerAccessTokens(app, deps)
  registerAccountAdministration(app, deps)
  registerSecondFactor(app, deps, login, seeds)

  settleWhenReady(app, deps, () => settled.resolve(true))
  keepSwept(app, deps, sessions)
}

/** Opens or closes the demonstration's accounts as soon as there is a database. */
function settleWhenReady(app: App, deps: Deps, settled: () => void): void {
  const { db, clock, config, site, log } = deps
  const stop = new AbortController()
  app.addHook('onReady', async () => {
    const settle = async () => {
      await deps.database.whenReady(FOREVER_MS)
      await settleDemoAccounts(db, config.demo, clock.now(), site.timeZone)
      if (config.demo)
        log.warn('Comptes de démonstration ouverts (demo, gestionnaire, restreint) ; DEMO=0 les ferme')
      settled()
      stop.abort()
    }
    void keepDoing(settle, {
      signal: stop.signal,
      pauseMs: 0,
      log,
      failed: 'Comptes de démonstration non préparés',
      excuse: () => deps.database.unavailable(),
    })
  })

  app.addHook('onClose', async () => stop.abort())
}

/** Takes expired sessions and worn-out budgets away from time to time. */
function keepSwept(app: App, { db, clock, log }: Deps, sessions: AccountSessions): void {
  const sweep = setInterval(() => {
    Promise.all([sessions.sweep(), sweepThrottle(db, clock.now())]).catch((error) =>
      log.debug({ err: error }, 'sessions expirées non retirées'),
    )
  }, SWEEP_MS)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}

function registerCsvSetting(app: App, { db }: Deps): void {
  app.put(
    '/api/users/csv',
    {
      schema: {
        summary: 'Choisit l’écriture des fichiers CSV du compte',
        tags: ['accounts'],
        body: csvSettingSchema,
        response: { 200: csvSettingSchema },
      },
    },
    async (request) => {
      const { csv } = request.body
      await updateAccount(db, (request.session as Session).userId, { csv })
      return { csv }
    },
  )
}
