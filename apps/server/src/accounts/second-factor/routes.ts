import {
  codeBodySchema,
  doneSchema,
  loginAnswerSchema,
  passkeyBodySchema,
  passkeyLoginBodySchema,
  passkeyOptionsSchema,
  passwordBodySchema,
  recoveryCodesSchema,
  securitySchema,
  totpStartSchema,
} from '@radx/contracts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { originOf } from '../../audit/api.ts'
import type { App, Deps } from '../../http/app.ts'
import type { Session } from '../../http/sessions.ts'
import { AccountDisabled } from '../errors.ts'
import type { Login } from '../login.ts'
import { confirmedAccount, ownAccount } from '../own-account.ts'
import { accountById } from '../queries.ts'
import { awaitsFactor, rolesInForce } from '../roles.ts'
import { beginTotp, confirmTotp, factorsOf, hasFactor, removeTotp, renewCodes } from './factors.ts'
import {
  addPasskey,
  loginOptions,
  passkeyAccount,
  passkeysOf,
  registrationOptions,
  removePasskey,
  type SiteOrigin,
} from './passkeys.ts'
import type { Seeds } from './seeds.ts'

const tags = ['accounts']
/** The longest that a timer can wait. */
const FOREVER_MS = 2 ** 31 - 1

/** Second factors of one's own account, and the login with a passkey. */
export function registerSecondFactor(app: App, deps: Deps, login: Login, seeds: Seeds): void {
  const { database, log } = deps
  app.addHook('onReady', async () => {
    const seal = async () => {
      await database.whenReady(FOREVER_MS)
      const count = await seeds.sealPlain()
      if (count > 0) log.info({ count }, 'Clés des applications de codes chiffrées')
    }
    // Nobody waits: who signs in meanwhile is let in by either form.
    void seal().catch((err) => {
      if (!database.unavailable()) log.error({ err }, 'Applications de codes : clé à remettre en place')
    })
  })
  registerSecurity(app, deps)
  registerTotp(app, deps, seeds)
  registerRecoveryCodes(app, deps)
  registerPasskeys(app, deps)
  registerPasskeyLogin(app, deps, login)
}

function registerSecurity(app: App, { db, config }: Deps): void {
  app.get(
    '/api/users/security',
    { schema: { summary: 'Second facteur de son compte', tags, response: { 200: securitySchema } } },
    async (request) => {
      const account = await accountById(db, (request.session as Session).userId)
      const [factors, passkeys] = await Promise.all([factorsOf(db, account.id), passkeysOf(db, account.id)])
      return {
        totp: factors.totp,
        recoveryCodes: factors.recoveryCodes,
        passkeys: passkeys.map((key) => ({
          id: key.id,
          name: key.name,
          createdAt: key.created_at.toISOString(),
          lastUsedAt: key.last_used_at?.toISOString() ?? null,
        })),
        awaited: awaitsFactor(account, hasFactor(factors), config.accounts),
        roles: rolesInForce(account, hasFactor(factors), config.accounts),
        shared: account.is_demo,
      }
    },
  )
}

function registerTotp(app: App, { db, clock, site }: Deps, seeds: Seeds): void {
  app.post(
    '/api/users/totp',
    {
      schema: {
        summary: 'Commence la mise en place d’une application de codes',
        tags,
        body: passwordBodySchema,
        response: { 200: totpStartSchema },
      },
    },
    async (request) => {
      const account = await confirmedAccount(
        db,
        request.session as Session,
        request.body.password,
        clock.now(),
      )
      const { address, secret } = await beginTotp(db, seeds, account)
      return { address, secret, qr: renderSVG(address, { border: 2 }) }
    },
  )
  app.put(
    '/api/users/totp',
    {
      schema: {
        summary: 'Met en service l’application de codes et rend les codes de secours',
        tags,
        body: codeBodySchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const session = request.session as Session
      const by = originOf(request, clock.now())
      return {
        codes: await confirmTotp(
          db,
          seeds,
          await ownAccount(db, session),
          session.id!,
          request.body.code,
          by,
          site.timeZone,
        ),
      }
    },
  )
  app.post(
    '/api/users/totp/remove',
    {
      schema: {
        summary: 'Retire l’application de codes de son compte',
        tags,
        body: passwordBodySchema,
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const account = await confirmedAccount(
        db,
        request.session as Session,
        request.body.password,
        clock.now(),
      )
      await removeTotp(db, account, originOf(request, clock.now()))
      return { done: true as const }
    },
  )
}

function registerRecoveryCodes(app: App, { db, clock }: Deps): void {
  app.post(
    '/api/users/recovery-codes',
    {
      schema: {
        summary: 'Refait ses codes de secours ; les anciens ne valent plus rien',
        tags,
        body: passwordBodySchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const account = await confirmedAccount(
        db,
        request.session as Session,
        request.body.password,
        clock.now(),
      )
      return { codes: await renewCodes(db, account, originOf(request, clock.now())) }
    },
  )
}

function registerPasskeys(app: App, { db, clock, config }: Deps): void {
  app.post(
    '/api/users/passkeys/options',
    {
      schema: {
        summary: 'Prépare une clé d’accès pour son compte',
        tags,
        body: passwordBodySchema,
        response: { 200: passkeyOptionsSchema },
      },
    },
    async (request) => {
      const account = await confirmedAccount(
        db,
        request.session as Session,
        request.body.password,
        clock.now(),
      )
      const site = siteOf(request, config.publicUrl)
      return { options: JSON.stringify(await registrationOptions(db, account, site, clock.now())) }
    },
  )
  app.post(
    '/api/users/passkeys',
    {
      schema: {
        summary: 'Ajoute une clé d’accès à son compte',
        tags,
        body: passkeyBodySchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const session = request.session as Session
      const { name } = request.body
      const response = request.body.response as unknown as RegistrationResponseJSON
      const codes = await addPasskey(
        db,
        await ownAccount(db, session),
        { response, name: name.trim(), sessionId: session.id! },
        siteOf(request, config.publicUrl),
        originOf(request, clock.now()),
      )
      return { codes }
    },
  )
  app.post(
    '/api/users/passkeys/remove',
    {
      schema: {
        summary: 'Retire une clé d’accès de son compte',
        tags,
        body: passwordBodySchema.extend({ id: z.string().max(1_400) }),
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const { password, id } = request.body
      const account = await confirmedAccount(db, request.session as Session, password, clock.now())
      await removePasskey(db, account, id, originOf(request, clock.now()))
      return { done: true as const }
    },
  )
}

function registerPasskeyLogin(app: App, { db, clock, config }: Deps, login: Login): void {
  app.post(
    '/api/users/login/passkey/options',
    {
      schema: {
        summary: 'Prépare une connexion avec une clé d’accès',
        tags,
        response: { 200: passkeyOptionsSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      login.holdCalls(request.ip)
      return {
        options: JSON.stringify(await loginOptions(db, siteOf(request, config.publicUrl), clock.now())),
      }
    },
  )
  app.post(
    '/api/users/login/passkey',
    {
      schema: {
        summary: 'Ouvre une session avec une clé d’accès',
        tags,
        body: passkeyLoginBodySchema,
        response: { 200: loginAnswerSchema },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      login.holdCalls(request.ip)
      const from = { address: request.ip, userAgent: request.headers['user-agent'] }
      const response = request.body.response as unknown as AuthenticationResponseJSON
      return login.noted(from, async (seen) => {
        const account = await passkeyAccount(db, response, siteOf(request, config.publicUrl), clock.now())
        seen.account = account
        if (account.disabled_at) throw new AccountDisabled()
        return login.open(account, request.body.device, from, 'passkey')
      })
    },
  )
}

/** The site as the browser sees it: by setting, or as the request came. */
function siteOf(request: FastifyRequest, publicUrl: string | null): SiteOrigin {
  const { origin, hostname } = new URL(publicUrl ?? `${request.protocol}://${request.host}`)
  return { origin, host: hostname }
}
