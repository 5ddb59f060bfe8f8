import { randomUUID } from 'node:crypto'
import { RadxError, ROLE_MANAGER, ROLES } from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import { byProgram, type Origin, record } from '../audit/api.ts'
import type { Database } from '../db/schema.ts'
import { AccountChanged, LastManager, OwnAccount, SharedAccount, UnknownAccount } from './errors.ts'
import { nameKey } from './names.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import {
  accountByKey,
  deleteLinksOf,
  deleteSessionsOf,
  editedAccount,
  insertAccount,
  knownShapefiles,
  otherManagers,
  replaceShapefiles,
  setPassword,
} from './queries.ts'
import type { AccountRow } from './tables.ts'

type Db = Kysely<Database>

/** What an administrator sets; an absent field stays as it is. */
export interface AccountSettings {
  roles?: string[]
  restrictionStart?: Date | null
  restrictionEnd?: Date | null
  /** A `data:` address. */
  avatar?: string | null
  /** Names of layers, all of them. */
  shapefiles?: string[]
}

/** An account that is made. */
export interface NewAccount extends AccountSettings {
  /** Its password is known to nobody: its holder sets one with a link. */
  invited?: boolean
}

/** @throws RadxError for a name that is refused or taken, an unknown role or layer, a period that ends first */
export async function addAccount(
  db: Db,
  name: string,
  password: string,
  { invited = false, ...settings }: NewAccount = {},
  by: Origin = byProgram(),
): Promise<void> {
  const key = nameKey(name)
  if (key === null)
    throw new RadxError(
      'accounts.name',
      422,
      `Le nom « ${name} » est refusé : 2 à 64 lettres, chiffres, points, tirets, soulignés ou arobases.`,
    )
  await checkNewPassword(password, name)
  checkSettings(settings)
  const id = randomUUID()
  const kept = name.normalize('NFKC').trim()
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const added = await insertAccount(trx, {
      id,
      name: kept,
      name_key: key,
      password_hash,
      invited,
      ...columns(settings),
    })
    if (!added)
      throw new RadxError(
        'accounts.taken',
        409,
        `Le compte « ${name} » existe déjà. radx user edit le modifie, radx user password change son mot de passe.`,
      )
    await setShapefiles(trx, id, settings.shapefiles)
    await record(trx, by, { action: 'account.create', subject: kept, details: detailsOf(settings) })
  })
}

/** Changes what is given. Sessions under way see it at their next call. */
export async function editAccount(
  db: Db,
  name: string,
  settings: AccountSettings,
  by: Origin = byProgram(),
  version?: number,
): Promise<void> {
  const account = await findAccount(db, name)
  checkSettings({
    ...settings,
    restrictionStart:
      settings.restrictionStart === undefined ? account.restriction_start : settings.restrictionStart,
    restrictionEnd: settings.restrictionEnd === undefined ? account.restriction_end : settings.restrictionEnd,
  })
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by, {
      version,
      endsManager: settings.roles?.includes(ROLE_MANAGER) === false,
    })
    await editedAccount(trx, account.id, columns(settings))
    await setShapefiles(trx, account.id, settings.shapefiles)
    await record(trx, by, { action: 'account.edit', subject: account.name, details: detailsOf(settings) })
  })
}

/** Sets a new password and ends every session of the account. */
export async function changePassword(
  db: Db,
  name: string,
  password: string,
  by: Origin = byProgram(),
): Promise<void> {
  const account = await findAccount(db, name)
  await checkNewPassword(password, account.name)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await setPassword(trx, account.id, password_hash)
    await deleteSessionsOf(trx, account.id)
    await record(trx, by, { action: 'password.reset', subject: account.name })
  })
}

/** Closes an account: nobody signs in, whoever is signed in is out at the next call, and a link that was handed out ends. */
export async function disableAccount(
  db: Db,
  name: string,
  now: Date,
  by: Origin = byProgram('server', now),
): Promise<void> {
  const account = await findAccount(db, name)
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by, { endsManager: true })
    await editedAccount(trx, account.id, { disabled_at: account.disabled_at ?? now })
    await deleteLinksOf(trx, account.id)
    await deleteSessionsOf(trx, account.id)
    await record(trx, by, { action: 'account.disable', subject: account.name })
  })
}

/** Ends every session of an account, which may sign in again. @returns how many */
export async function endAccountSessions(db: Db, name: string, by: Origin = byProgram()): Promise<number> {
  const account = await findAccount(db, name)
  return db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by)
    const ended = await deleteSessionsOf(trx, account.id)
    await record(trx, by, {
      action: 'session.end',
      subject: account.name,
      details: { sessions: String(ended) },
    })
    return ended
  })
}

export async function enableAccount(db: Db, name: string, by: Origin = byProgram()): Promise<void> {
  const account = await findAccount(db, name)
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, account, by)
    await editedAccount(trx, account.id, { disabled_at: null })
    await record(trx, by, { action: 'account.enable', subject: account.name })
  })
}

interface Hold {
  /** The edition that the edit began with. */
  version?: number
  /** A manager would be none afterwards. */
  endsManager?: boolean
  /** Nobody does it to himself by administration. */
  ofOthers?: boolean
}

/**
 * Holds an account for an edit until the transaction ends. The command line may do what would lock a manager out in the
 * browser, since it can undo it.
 * @throws AccountChanged, LastManager, OwnAccount, SharedAccount
 */
export async function holdAccount(
  trx: Db,
  { id, name }: AccountRow,
  by: Origin,
  { version, endsManager = false, ofOthers = false }: Hold = {},
): Promise<void> {
  // Two managers who take each other's role away at once must not both pass.
  await sql`select pg_advisory_xact_lock(hashtextextended('accounts edited', 0))`.execute(trx)
  const now = await trx
    .selectFrom('account')
    .select(['version', 'is_demo', 'roles', 'disabled_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!now) throw new UnknownAccount(name)
  if (version !== undefined && now.version !== version) throw new AccountChanged(name)
  if (by.via !== 'page') return
  if (now.is_demo) throw new SharedAccount()
  if (ofOthers && by.name === name) throw new OwnAccount()
  const isManager = now.roles.includes(ROLE_MANAGER) && now.disabled_at === null
  if (endsManager && isManager && !(await otherManagers(trx, id))) throw new LastManager(name)
}

/** @throws UnknownAccount */
export async function findAccount(db: Db, name: string): Promise<AccountRow> {
  const key = nameKey(name)
  const account = key === null ? undefined : await accountByKey(db, key)
  if (!account) throw new UnknownAccount(name)
  return account
}

function checkSettings({ roles, restrictionStart, restrictionEnd }: AccountSettings): void {
  const unknown = roles?.find((role) => !(ROLES as readonly string[]).includes(role))
  if (unknown !== undefined)
    throw new RadxError(
      'accounts.role',
      422,
      `Le rôle « ${unknown} » n'existe pas. Rôles : ${ROLES.join(', ')}.`,
    )
  if (restrictionStart && restrictionEnd && restrictionStart >= restrictionEnd)
    throw new RadxError('accounts.period', 422, "Le début de l'accès doit précéder sa fin.")
}

/** What was set, for the audit trail; a picture is named, not shown. */
function detailsOf(settings: AccountSettings): Record<string, string> {
  const date = (value: Date | null) => value?.toISOString() ?? ''
  return {
    ...(settings.roles === undefined ? {} : { roles: settings.roles.join(', ') }),
    ...(settings.restrictionStart === undefined ? {} : { from: date(settings.restrictionStart) }),
    ...(settings.restrictionEnd === undefined ? {} : { to: date(settings.restrictionEnd) }),
    ...(settings.avatar === undefined ? {} : { avatar: settings.avatar === null ? 'none' : 'set' }),
    ...(settings.shapefiles === undefined ? {} : { layers: settings.shapefiles.join(', ') }),
  }
}

function columns(settings: AccountSettings) {
  return {
    ...(settings.roles === undefined ? {} : { roles: [...new Set(settings.roles)] }),
    ...(settings.avatar === undefined ? {} : { avatar: settings.avatar }),
    ...(settings.restrictionStart === undefined ? {} : { restriction_start: settings.restrictionStart }),
    ...(settings.restrictionEnd === undefined ? {} : { restriction_end: settings.restrictionEnd }),
  }
}

async function setShapefiles(db: Db, accountId: string, names: string[] | undefined): Promise<void> {
  if (names === undefined) return
  const wanted = [...new Set(names)]
  const known = await knownShapefiles(db, wanted)
  const missing = wanted.find((name) => !known.includes(name))
  if (missing !== undefined)
    throw new RadxError(
      'accounts.shapefile',
      422,
      `La couche « ${missing} » n'existe pas. radx shapefile list donne les couches.`,
    )
  await replaceShapefiles(db, accountId, wanted)
}
