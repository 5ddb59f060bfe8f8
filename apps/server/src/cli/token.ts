import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX, TOKEN_SCOPES, tokenBodySchema } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { makeToken, revokeToken, tokensOf } from '../accounts/access-tokens/access-tokens.ts'
import { rolesInForce } from '../accounts/roles.ts'
import { factorsOf, hasFactor } from '../accounts/second-factor/factors.ts'
import { findAccount } from '../accounts/service.ts'
import { byProgram } from '../audit/api.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { table } from './table.ts'
import { instant } from './user-options.ts'
import { withDatabase } from './with-database.ts'

const NAME = { label: 'NOM', help: 'nom du compte', min: 1, max: 1 }

const add = defineCommand({
  name: 'token add',
  summary: "crée un jeton d'accès d'un compte et l'écrit une seule fois",
  description:
    'Le jeton seul va sur la sortie standard. read : lire pluie et résultats ; grids : grilles exactes (gestionnaires) ; run : lancer et garder ; manage : administrer (gestionnaires).',
  options: {
    name: { type: 'string', value: 'TEXTE', help: 'à quoi il sert' },
    scope: {
      type: 'string',
      value: 'PORTÉES',
      help: `séparées par des virgules (${TOKEN_SCOPES.join(', ')})`,
    },
    days: {
      type: 'string',
      value: 'N',
      help: `jours jusqu'à son expiration (${TOKEN_DAYS_DEFAULT} ; ${TOKEN_DAYS_MAX} au plus)`,
    },
    from: { type: 'string', value: 'DATE', help: 'début des dates visibles (AAAA-MM-JJ ou instant ISO)' },
    to: { type: 'string', value: 'DATE', help: 'fin des dates visibles, exclue' },
  },
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withDatabase(async ({ db, site, config }) => {
      const date = (option: 'from' | 'to') =>
        instant(`--${option}`, values[option] ?? '', site.timeZone)?.toISOString() ?? null
      const given = tokenBodySchema.safeParse({
        name: values.name ?? '',
        scopes: (values.scope ?? '')
          .split(',')
          .map((scope) => scope.trim())
          .filter((scope) => scope !== ''),
        ...(values.days === undefined ? {} : { days: Number(values.days) }),
        from: date('from'),
        to: date('to'),
      })
      if (!given.success) throw new UsageError(WRONG[String(given.error.issues[0].path[0])] ?? WRONG.name)
      const account = await findAccount(db, name)
      const roles = rolesInForce(account, hasFactor(await factorsOf(db, account.id)), config.accounts)
      const { token, row } = await makeToken(db, account, roles, given.data, byProgram('command'))
      console.log(token)
      console.error(
        `Jeton « ${row.name} » de « ${account.name} », valable jusqu'au ${formatDateTimeFr(row.expires_at.toISOString(), site.timeZone)}. Il ne sera plus montré.`,
      )
      return EXIT.ok
    }),
})

/** What is wrong with a field of a new token. */
const WRONG: Record<string, string> = {
  name: '--name TEXTE : un nom de 1 à 80 signes est attendu.',
  scopes: `--scope : une portée au moins, parmi ${TOKEN_SCOPES.join(', ')}, chacune une fois.`,
  days: `--days : un nombre entier de 1 à ${TOKEN_DAYS_MAX} est attendu.`,
}

const list = defineCommand({
  name: 'token list',
  summary: "donne les jetons d'un compte",
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db, site }) => {
      const account = await findAccount(db, name)
      const at = (date: Date | null) =>
        date === null ? '–' : formatDateTimeFr(date.toISOString(), site.timeZone)
      const rows = (await tokensOf(db, account.id, new Date())).map((row) => [
        row.id,
        row.name,
        row.scopes.join(', '),
        at(row.expires_at),
        at(row.last_used_at),
      ])
      console.log(table(['NUMÉRO', 'NOM', 'PORTÉES', 'EXPIRE LE', 'UTILISÉ LE'], rows))
      return EXIT.ok
    }),
})

const revoke = defineCommand({
  name: 'token revoke',
  summary: "révoque un jeton d'un compte, tout de suite",
  positionals: { label: 'NOM JETON', help: 'nom du compte, et numéro ou nom du jeton', min: 2, max: 2 },
  run: ({ positionals: [name, which] }) =>
    withDatabase(async ({ db }) => {
      const account = await findAccount(db, name)
      const all = await tokensOf(db, account.id, new Date())
      const chosen = all.filter((row) => row.id === which || row.name === which)
      if (chosen.length !== 1)
        throw new UsageError(
          chosen.length === 0
            ? `aucun jeton « ${which} » : radx token list ${name} les donne.`
            : `plusieurs jetons s'appellent « ${which} » : donner le numéro de radx token list ${name}.`,
        )
      await revokeToken(db, account, chosen[0].id, byProgram('command'))
      console.log(`Jeton « ${chosen[0].name} » de « ${account.name} » révoqué.`)
      return EXIT.ok
    }),
})

export const command = commandGroup('token', "gère les jetons d'accès des comptes", { add, list, revoke })
