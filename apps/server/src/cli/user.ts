import { randomBytes } from 'node:crypto'
import { ROLE_MANAGER } from '@radx/contracts'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import type { Kysely } from 'kysely'
import { accountsForManagers } from '../accounts/administration.ts'
import { makeLink } from '../accounts/links.ts'
import { eraseAccount, exportOwnData } from '../accounts/own-data.ts'
import { accountByKey, listAccounts, otherManagers, shapefilesOf } from '../accounts/queries.ts'
import { removeFactors } from '../accounts/second-factor/factors.ts'
import {
  addAccount,
  changePassword,
  disableAccount,
  editAccount,
  enableAccount,
  endAccountSessions,
  findAccount,
} from '../accounts/service.ts'
import type { AccountRow } from '../accounts/tables.ts'
import { byProgram, record } from '../audit/api.ts'
import type { Database } from '../db/schema.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { readPassword } from './password.ts'
import { table } from './table.ts'
import { SETTING_OPTIONS, settingsFrom } from './user-options.ts'
import { withDatabase } from './with-database.ts'

const NAME = { label: 'NOM', help: 'nom du compte', min: 1, max: 1 }
const GENERATE = { type: 'boolean', help: "tire un mot de passe au hasard et l'affiche" } as const

const add = defineCommand({
  name: 'user add',
  summary: 'crée un compte',
  description:
    "Le mot de passe (8 caractères au moins) est demandé sans écho, ou lu sur la première ligne de l'entrée standard.",
  options: { ...SETTING_OPTIONS, generate: GENERATE },
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withDatabase(async ({ db, site }) => {
      const settings = await settingsFrom(values, site.timeZone)
      const password = await givenPassword(values.generate)
      await addAccount(db, name, password, settings, byProgram('command'))
      console.log(`Compte « ${name} » créé.`)
      return EXIT.ok
    }),
})

const edit = defineCommand({
  name: 'user edit',
  summary: "change les droits, l'accès, l'avatar ou les couches d'un compte",
  description: "Une valeur vide retire le réglage : --from '' ouvre le début, --role '' retire les rôles.",
  options: SETTING_OPTIONS,
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withDatabase(async ({ db, site }) => {
      const settings = await settingsFrom(values, site.timeZone)
      if (Object.keys(settings).length === 0) throw new UsageError('rien à changer : donner une option.')
      await tellingOfTheLastManager(db, name, () => editAccount(db, name, settings, byProgram('command')))
      console.log(`Compte « ${name} » modifié. Les sessions en cours suivent dès leur prochain appel.`)
      return EXIT.ok
    }),
})

const list = defineCommand({
  name: 'user list',
  summary: 'donne les comptes',
  run: () =>
    withDatabase(async ({ db, site }) => {
      const accounts = await listAccounts(db)
      const rows = await Promise.all(
        accounts.map(async (account) => [
          account.name,
          account.roles.join(', ') || '–',
          period(account, site.timeZone),
          (await shapefilesOf(db, account.id)).map(({ name }) => name).join(', ') || '–',
          account.disabled_at ? 'désactivé' : account.is_demo ? 'démonstration' : 'actif',
        ]),
      )
      console.log(table(['NOM', 'RÔLES', 'ACCÈS', 'COUCHES', 'ÉTAT'], rows))
      return EXIT.ok
    }),
})

const use = defineCommand({
  name: 'user use',
  summary: 'montre ce que chaque compte garde, et ses quotas',
  options: { json: { type: 'boolean', help: 'en JSON, comme l’appel de l’administration' } },
  run: ({ values }) =>
    withDatabase(async ({ db, config, site }) => {
      const state = await accountsForManagers(db, new Date(), config.quotas)
      if (values.json) {
        console.log(JSON.stringify(state))
        return EXIT.ok
      }
      const of = (used: number, quota: number) => `${formatNumberFr(used, 0)} / ${formatNumberFr(quota, 0)}`
      const rows = state.accounts.map(({ name, use: used, lastUsedAt, secondFactor }) => [
        name,
        of(used.runs, state.quotas.runs),
        of(used.exports, state.quotas.exports),
        of(used.events, state.quotas.events),
        of(used.landUses, state.quotas.landUses),
        of(used.gauges, state.quotas.gauges),
        of(used.tables, state.quotas.tables),
        of(used.networks, state.quotas.networks),
        of(used.catchments, state.quotas.catchments),
        of(used.bytes / 1e6, state.quotas.bytes / 1e6),
        lastUsedAt === null ? '–' : formatDateTimeFr(lastUsedAt, site.timeZone),
        secondFactor ? 'oui' : 'non',
      ])
      const heads = [
        'NOM',
        'SIMULATIONS',
        'EXPORTS',
        'ÉVÈNEMENTS',
        'OCCUPATIONS',
        'PLUVIOMÈTRES',
        'TABLES',
        'RÉSEAUX',
        'BASSINS',
        'MO',
        'UTILISÉ LE',
        '2e FACTEUR',
      ]
      console.log(table(heads, rows))
      return EXIT.ok
    }),
})

const data = defineCommand({
  name: 'user data',
  summary: 'écrit en JSON tout ce qui est gardé du compte',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      const account = await findAccount(db, name)
      const kept = await exportOwnData(db, account)
      await record(db, byProgram('command'), { action: 'account.export', subject: account.name })
      console.log(JSON.stringify(kept, null, 2))
      return EXIT.ok
    }),
})

const password = defineCommand({
  name: 'user password',
  summary: 'change un mot de passe et ferme les sessions du compte',
  options: { generate: GENERATE },
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      await findAccount(db, name)
      await changePassword(db, name, await givenPassword(values.generate), byProgram('command'))
      console.log(`Mot de passe de « ${name} » changé ; ses sessions sont closes.`)
      return EXIT.ok
    }),
})

const disable = defineCommand({
  name: 'user disable',
  summary: 'ferme un compte et ses sessions',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      await tellingOfTheLastManager(db, name, () =>
        disableAccount(db, name, new Date(), byProgram('command')),
      )
      console.log(`Compte « ${name} » désactivé ; ses sessions sont closes.`)
      return EXIT.ok
    }),
})

const enable = defineCommand({
  name: 'user enable',
  summary: 'rouvre un compte',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      await enableAccount(db, name, byProgram('command'))
      console.log(`Compte « ${name} » rouvert.`)
      return EXIT.ok
    }),
})

const erase = defineCommand({
  name: 'user erase',
  summary: 'efface un compte et ce qui en est gardé',
  description: 'Ses simulations sont supprimées, ou remises à un gestionnaire avec --hand-to.',
  options: {
    'hand-to': { type: 'string', value: 'GESTIONNAIRE', help: 'remet ses simulations à ce compte' },
    'delete-runs': { type: 'boolean', help: 'supprime ses simulations' },
  },
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withDatabase(async ({ db, config }) => {
      const to = values['hand-to']
      if ((to === undefined) === (values['delete-runs'] !== true))
        throw new UsageError('choisir --delete-runs ou --hand-to GESTIONNAIRE.')
      // Loaded on use: with them comes the whole engine, for which no other command about accounts should wait.
      const { jobKinds } = await import('../job-kinds.ts')
      const { removeJob } = await import('../jobs/remove.ts')
      const { draftHome, networkHome, openFileStore } = await import('../store/file-store.ts')
      const files = openFileStore(config)
      const job = async (id: string) => {
        const row = await db.selectFrom('job').select('kind').where('id', '=', id).executeTakeFirst()
        const kind = jobKinds.find((one) => one.name === row?.kind)
        await removeJob(db, files, kind, id)
      }
      const after = to === undefined ? { runs: 'delete' as const } : { runs: 'hand' as const, to }
      await tellingOfTheLastManager(db, name, (account) =>
        eraseAccount(db, account, after, byProgram('command'), {
          job,
          network: (id) => files.removeFolder(networkHome(id)),
          draft: (id) => files.removeFolder(draftHome(id)),
        }),
      )
      console.log(`Compte « ${name} » effacé.`)
      return EXIT.ok
    }),
})

const endSessions = defineCommand({
  name: 'user end-sessions',
  summary: 'ferme les sessions du compte, qui peut se reconnecter',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      const ended = await endAccountSessions(db, name, byProgram('command'))
      console.log(`Sessions de « ${name} » closes : ${ended}.`)
      return EXIT.ok
    }),
})

const link = defineCommand({
  name: 'user link',
  summary: 'fait un lien qui pose une fois le mot de passe du compte',
  description: 'Il vaut 24 heures ; le mot de passe en place reste bon jusque-là.',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db, config }) => {
      const { token } = await makeLink(db, await findAccount(db, name), byProgram('command'))
      console.log(`${config.publicUrl ?? ''}/compte#lien=${token}`)
      return EXIT.ok
    }),
})

const factors = defineCommand({
  name: 'user remove-factors',
  summary: "retire le second facteur d'un compte qui l'a perdu, et ferme ses sessions",
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      await removeFactors(db, await findAccount(db, name), byProgram('command'))
      console.log(`Second facteur de « ${name} » retiré ; ses sessions sont closes.`)
      return EXIT.ok
    }),
})

export const command = commandGroup('user', 'gère les comptes', {
  add,
  edit,
  list,
  use,
  data,
  password,
  link,
  'remove-factors': factors,
  'end-sessions': endSessions,
  erase,
  disable,
  enable,
})

/**
 * Changes an account, and says so when that took the last manager away: the page refuses it, whoever runs the machine may
 * want it, and must know how to undo it.
 */
async function tellingOfTheLastManager(
  db: Kysely<Database>,
  name: string,
  change: (account: AccountRow) => Promise<void>,
): Promise<void> {
  const account = await findAccount(db, name)
  const manages = (now: AccountRow) => now.roles.includes(ROLE_MANAGER) && now.disabled_at === null
  const others = await otherManagers(db, account.id)
  await change(account)
  const after = await accountByKey(db, account.name_key)
  if (others || !manages(account) || (after && manages(after))) return
  console.error(
    `attention : « ${account.name} » était le dernier gestionnaire, personne n'administre plus la plateforme dans le navigateur. radx user edit NOM --role manager en nomme un autre.`,
  )
}

async function givenPassword(generate: boolean | undefined): Promise<string> {
  if (!generate) return readPassword()
  const drawn = randomBytes(12).toString('base64url')
  console.log(`Mot de passe : ${drawn}`)
  return drawn
}

function period({ restriction_start: start, restriction_end: end }: AccountRow, timeZone: string): string {
  const text = (date: Date) => formatDateTimeFr(date.toISOString(), timeZone)
  if (start && end) return `du ${text(start)} au ${text(end)}`
  if (start) return `à partir du ${text(start)}`
  return end ? `avant le ${text(end)}` : 'toutes les données'
}
