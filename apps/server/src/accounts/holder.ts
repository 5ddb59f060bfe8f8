import { sql } from 'kysely'
import type { AccountRow } from './tables.ts'

/** What a call must know of the account behind its session or token. */
export type Holder = Pick<
  AccountRow,
  'id' | 'name' | 'roles' | 'restriction_start' | 'restriction_end' | 'csv' | 'is_demo'
> & { has_factor: boolean }

/** Of a row of `account`. */
const accountHasFactor = sql<boolean>`(
  exists (select from totp where totp.account_id = account.id and totp.confirmed_at is not null)
  or exists (select from passkey where passkey.account_id = account.id))`

/** The columns of a `Holder`, of a query that joins `account`. */
export const HOLDER = [
  'account.id',
  'account.name',
  'account.roles',
  'account.restriction_start',
  'account.restriction_end',
  'account.csv',
  'account.is_demo',
  accountHasFactor.as('has_factor'),
] as const
