import { randomUUID } from 'node:crypto'
import { RadxError, ROLES } from '@radx/contracts'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { UnknownAccount } from './errors.ts'
import { nameKey } from './names.ts'
import { checkNewPassword, hashPassword } from './passwords.ts'
import {
  accountByKey,
  deleteSessionsOf,
  insertAccount,
  knownShapefiles,
  replaceShapefiles,
  updateAccount,
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

/** @throws RadxError for a name that is refused or taken, an unknown role or layer, a period that ends first */
export async function addAccount(
  db: Db,
  name: string,
  password: string,
  settings: AccountSettings = {},
): Promise<void> {
  const key = nameKey(name)
  if (key === null)
    throw new RadxError(
      'accounts.name',
      422,
      `Le nom « ${name} » est refusé : 2 à 64 lettres, chiffres, points, tirets, soulignés ou arobases.`,
    )
  checkNewPassword(password)
  checkSettings(settings)
  const id = randomUUID()
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const added = await insertAccount(trx, {
      id,
      name: name.normalize('NFKC').trim(),
      name_key: key,
      password_hash,
      ...columns(settings),
    })
    if (!added)
      throw new RadxError(
        'accounts.taken',
        409,
        `Le compte « ${name} » existe déjà. radx user edit le modifie, radx user password change son mot de passe.`,
      )
    await setShapefiles(trx, id, settings.shapefiles)
  })
}

/** Changes what is given. Sessions under way see it at their next call. */
export async function editAccount(db: Db, name: string, settings: AccountSettings): Promise<void> {
  const account = await findAccount(db, name)
  checkSettings({
    ...settings,
    restrictionStart:
      settings.restrictionStart === undefined ? account.restriction_start : settings.restrictionStart,
    restrictionEnd: settings.restrictionEnd === undefined ? account.restriction_end : settings.restrictionEnd,
  })
  await db.transaction().execute(async (trx) => {
    await updateAccount(trx, account.id, { ...columns(settings), is_demo: false })
    await setShapefiles(trx, account.id, settings.shapefiles)
  })
}

/** Sets a new password and ends every session of the account. */
export async function changePassword(db: Db, name: string, password: string): Promise<void> {
  const account = await findAccount(db, name)
  checkNewPassword(password)
  const password_hash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    await updateAccount(trx, account.id, { password_hash, is_demo: false })
    await deleteSessionsOf(trx, account.id)
  })
}

/** Closes an account: nobody signs in, and whoever is signed in is out at the next call. */
export async function disableAccount(db: Db, name: string, now: Date): Promise<void> {
  const account = await findAccount(db, name)
  await db.transaction().execute(async (trx) => {
    await updateAccount(trx, account.id, { disabled_at: account.disabled_at ?? now, is_demo: false })
    await deleteSessionsOf(trx, account.id)
  })
}

export async function enableAccount(db: Db, name: string): Promise<void> {
  const account = await findAccount(db, name)
  await updateAccount(db, account.id, { disabled_at: null, is_demo: false })
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
