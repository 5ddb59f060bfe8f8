import { USERNAME_MAX } from '@radx/contracts'

const USERNAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u

/**
 * What a name is compared by: Unicode-normalised, lower case; null for a text that nobody can be called,
 * such as one with spaces, quotes or control characters.
 */
export function nameKey(name: string): string | null {
  const key = name.normalize('NFKC').trim().toLowerCase()
  return key.length >= 2 && key.length <= USERNAME_MAX && USERNAME.test(key) ? key : null
}
