import { ROLE_MANAGER } from '@radx/contracts'
import type { AccountRules } from '../config/account-rules.ts'

/** Whether an account's rights wait for a second factor. Those of the demonstration are open to all anyway. */
export const awaitsFactor = (
  { roles, is_demo }: { roles: string[]; is_demo: boolean },
  hasFactor: boolean,
  { require2fa }: Pick<AccountRules, 'require2fa'>,
): boolean => require2fa !== null && roles.includes(require2fa) && !is_demo && !hasFactor

/** The roles that an account has now. */
export const rolesInForce = (
  account: { roles: string[]; is_demo: boolean },
  hasFactor: boolean,
  rules: Pick<AccountRules, 'require2fa'>,
): string[] =>
  awaitsFactor(account, hasFactor, rules)
    ? account.roles.filter((role) => role !== ROLE_MANAGER)
    : account.roles
