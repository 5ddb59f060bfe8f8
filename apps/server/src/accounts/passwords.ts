import { hash, verify } from '@node-rs/argon2'
import { NEW_PASSWORD_MIN, PASSWORD_MAX } from '@radx/contracts/accounts'
import { RadxError } from '@radx/contracts/errors'

/**
 * argon2id (RFC 9106) with 19 MiB, 2 passes and 1 lane: the first choice of the OWASP password storage
 * cheat sheet (2023). About 20 ms on one core, so that a login costs an attacker and not the visitor.
 */
const POLICY = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const
const POLICY_PREFIX = `$argon2id$v=19$m=${POLICY.memoryCost},t=${POLICY.timeCost},p=${POLICY.parallelism}$`

/** The same characters typed on another keyboard give the same bytes (NIST SP 800-63B §5.1.1.2). */
const normalise = (password: string) => password.normalize('NFKC')

/** PHC string of a password: algorithm, parameters, random salt and digest. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), POLICY)
}

/** False for a wrong password and for a stored text that is no argon2 string. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, normalise(password))
  } catch {
    return false
  }
}

/** Whether a stored string was made under another policy and is to be remade at the next login. */
export function needsRehash(stored: string): boolean {
  return !stored.startsWith(POLICY_PREFIX)
}

let decoy: Promise<string> | undefined

/**
 * Spends the time of a real check for a name that nobody has, so that an answer's delay does not tell
 * which accounts exist. Always false.
 */
export async function verifyUnknown(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this one')
  await verifyPassword(await decoy, password)
  return false
}

let common: Promise<ReadonlySet<string>> | undefined

/** The 49,233 passwords that `@zxcvbn-ts/language-common` lists (MIT), in lower case; read at the first use. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((entry) => String(entry).toLowerCase())),
  )
  return common
}

/** Words that stand for this platform: alone or in a row, with digits or signs around them, they are no password. */
const CONTEXT = [
  'radx',
  'radar',
  'multihydro',
  'pluie',
  'averse',
  'gestionnaire',
  'manager',
  'administrateur',
  'demo',
]

/** Whether a text is nothing but words of a list, one after the other. */
function madeOf(text: string, words: readonly string[]): boolean {
  const ends = new Set([0])
  for (const from of ends)
    for (const word of words) if (word !== '' && text.startsWith(word, from)) ends.add(from + word.length)
  return text !== '' && ends.has(text.length)
}

/** Letters of a text in lower case, whatever stands between them. */
const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '')

/**
 * @param name of the account, which is no password for it
 * @throws RadxError `accounts.passwordLength` or `accounts.passwordCommon`
 */
export async function checkNewPassword(password: string, name: string): Promise<void> {
  const length = [...normalise(password)].length
  if (length < NEW_PASSWORD_MIN || length > PASSWORD_MAX)
    throw new RadxError(
      'accounts.passwordLength',
      422,
      `Le mot de passe doit avoir entre ${NEW_PASSWORD_MIN} et ${PASSWORD_MAX} caractères.`,
    )
  const plain = normalise(password).toLowerCase()
  const ownWord = madeOf(lettersOf(plain), [...CONTEXT, lettersOf(normalise(name))])
  if (ownWord || plain === normalise(name).toLowerCase() || (await commonPasswords()).has(plain))
    throw new RadxError(
      'accounts.passwordCommon',
      422,
      'Ce mot de passe est trop courant : il est de ceux que l’on essaie en premier. En choisir un autre.',
    )
}
