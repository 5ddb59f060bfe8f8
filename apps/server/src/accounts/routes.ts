import { loginAnswerSchema, loginBodySchema, logoutAnswerSchema } from '@radx/contracts'
import type { App, Deps } from '../http/app.ts'
import { bearerToken } from '../http/authorize.ts'
import { settleDemoAccounts } from './demo.ts'
import { TooManyLogins } from './errors.ts'
import { Login } from './login.ts'
import { accountSessions } from './sessions.ts'
import { sweepThrottle } from './throttle.ts'

const LOGIN_BODY_BYTES = 16 * 1024
const SWEEP_MS = 10 * 60 * 1000
/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1

export function registerAccounts(app: App, deps: Deps): void {
  const { db, clock, config, site, log } = deps
  const sessions = accountSessions(db, clock)
  const login = new Login({ db, clock, sessions })

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
      try {
        return await login.run(request.body, request.ip)
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
      return { loggedOut: true as const }
    },
  )

  app.addHook('onReady', async () => {
    deps.database
      .whenReady(FOREVER_MS)
      .then(() => settleDemoAccounts(db, config.demo, clock.now(), site.timeZone))
      .then(() => {
        if (config.demo)
          log.warn('Comptes de démonstration ouverts (demo, gestionnaire, restreint) ; DEMO=0 les ferme')
      })
      .catch((error) => log.warn({ err: error }, 'comptes de démonstration non préparés'))
  })

  const sweep = setInterval(() => {
    Promise.all([sessions.sweep(), sweepThrottle(db, clock.now())]).catch((error) =>
      log.debug({ err: error }, 'sessions expirées non retirées'),
    )
  }, SWEEP_MS)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}
