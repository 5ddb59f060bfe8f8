import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
/** base64url of 32 bytes, no padding. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A new session token: 256 random bits as base64url, 43 characters. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/**
 * SHA-256 of a token, 32 bytes, or null for a text that cannot be one. A plain digest is enough, since
 * nobody can try 2^256 inputs; a slow one would cost every call.
 */
export function hashToken(token: string): Buffer | null {
  return TOKEN.test(token) ? createHash('sha256').update(token, 'ascii').digest() : null
}
