import {
  accountEditBodySchema,
  adminAccountsSchema,
  doneSchema,
  linkPasswordAnswerSchema,
  linkPasswordBodySchema,
  newAccountBodySchema,
  passwordLinkSchema,
  type Restriction,
} from '@radx/contracts'
import { z } from 'zod'
import { originOf } from '../audit/api.ts'
import type { App, Deps } from '../http/app.ts'
import { accountsForManagers } from './administration.ts'
import { TooManyLogins, UnknownAccount } from './errors.ts'
import { inviteAccount, makeLink, type PasswordLink, useLink } from './links.ts'
import { accountById } from './queries.ts'
import { removeFactors } from './second-factor/factors.ts'
import {
  type AccountSettings,
  disableAccount,
  editAccount,
  enableAccount,
  endAccountSessions,
} from './service.ts'
import type { AccountRow } from './tables.ts'
import { ADDRESS_BUDGET, addressKey, take } from './throttle.ts'

const params = z.object({ id: z.uuid() })
const tags = ['administration']

/** Accounts for managers: the same services as `radx user`. */
export function registerAccountAdministration(app: App, deps: Deps): void {
  const { db, clock, config } = deps

  app.get(
    '/api/admin/accounts',
    {
      schema: {
        summary: 'Comptes, leurs droits et ce qu’ils gardent',
        tags,
        response: { 200: adminAccountsSchema },
      },
    },
    () => accountsForManagers(db, new Date(clock.now()), config.quotas),
  )

  app.post(
    '/api/admin/accounts',
    {
      schema: {
        summary: 'Crée un compte et le lien qui pose son mot de passe',
        tags,
        body: newAccountBodySchema,
        response: { 200: passwordLinkSchema },
      },
    },
    async (request) => {
      const { name, ...settings } = request.body
      return toLink(await inviteAccount(db, name, toSettings(settings), originOf(request, clock.now())))
    },
  )

  app.put(
    '/api/admin/accounts/:id',
    {
      schema: {
        summary: 'Change les rôles, les dates et les couches d’un compte',
        tags,
        params,
        body: accountEditBodySchema,
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const { version, ...settings } = request.body
      const { name } = await known(deps, request.params.id)
      await editAccount(db, name, toSettings(settings), originOf(request, clock.now()), version)
      return { done: true as const }
    },
  )

  registerAccountActions(app, deps)
  registerLinks(app, deps)
}

function registerAccountActions(app: App, deps: Deps): void {
  const { db, clock } = deps
  const actions: [string, string, (account: AccountRow, by: ReturnType<typeof originOf>) => Promise<void>][] =
    [
      ['disable', 'Ferme un compte et ses sessions', ({ name }, by) => disableAccount(db, name, by.at, by)],
      [
        'end-sessions',
        'Ferme les sessions d’un compte',
        async ({ name }, by) => {
          await endAccountSessions(db, name, by)
        },
      ],
      ['enable', 'Rouvre un compte', ({ name }, by) => enableAccount(db, name, by)],
      [
        'remove-factors',
        'Retire le second facteur d’un compte',
        (account, by) => removeFactors(db, account, by),
      ],
    ]
  for (const [path, summary, act] of actions)
    app.post(
      `/api/admin/accounts/:id/${path}`,
      { schema: { summary, tags, params, response: { 200: doneSchema } } },
      async (request) => {
        await act(await known(deps, request.params.id), originOf(request, clock.now()))
        return { done: true as const }
      },
    )
}

function registerLinks(app: App, deps: Deps): void {
  const { db, clock } = deps
  app.post(
    '/api/admin/accounts/:id/link',
    {
      schema: {
        summary: 'Fait un lien qui remplace une fois le mot de passe d’un compte',
        tags,
        params,
        response: { 200: passwordLinkSchema },
      },
    },
    async (request) =>
      toLink(await makeLink(db, await known(deps, request.params.id), originOf(request, clock.now()))),
  )

  app.post(
    '/api/users/password-link',
    {
      schema: {
        summary: 'Pose le mot de passe d’un compte avec son lien',
        tags: ['accounts'],
        body: linkPasswordBodySchema,
        response: { 200: linkPasswordAnswerSchema },
      },
    },
    async (request) => {
      const waitMs = await take(db, addressKey(request.ip), ADDRESS_BUDGET, clock.now())
      if (waitMs > 0) throw new TooManyLogins(waitMs)
      const { token, password } = request.body
      return { name: await useLink(db, token, password, originOf(request, clock.now())) }
    },
  )
}

/** @throws UnknownAccount */
async function known({ db }: Deps, id: string): Promise<AccountRow> {
  return accountById(db, id).catch(() => {
    throw new UnknownAccount(id)
  })
}

const toLink = ({ token, expiresAt }: PasswordLink) => ({ token, expiresAt: expiresAt.toISOString() })

const toSettings = (body: {
  roles: string[]
  restriction: Restriction
  shapefiles: string[]
}): AccountSettings => ({
  roles: body.roles,
  restrictionStart: body.restriction.start === null ? null : new Date(body.restriction.start),
  restrictionEnd: body.restriction.end === null ? null : new Date(body.restriction.end),
  shapefiles: body.shapefiles,
})
