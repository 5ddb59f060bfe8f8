import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Of 16 random bytes and 32 bytes of HMAC-SHA-256, as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/

export const DEVICE_SECRET = 'device.secret'

interface Holder {
  id: string
  password_hash: string
}

const mac = (secret: Buffer, { id, password_hash }: Holder, nonce: string) =>
  createHmac('sha256', secret).update(`${id}\n${password_hash}\n${nonce}`).digest()

/**
 * What a browser keeps to show that somebody signed in to the account there. It opens nothing: it only gives this
 * browser its own budget of tries, so that strangers who fail do not lock it out. A new password ends it.
 */
export function newDevice(secret: Buffer, account: Holder): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${mac(secret, account, nonce).toString('base64url')}`
}

export function isDeviceOf(secret: Buffer, account: Holder, token: string | undefined): token is string {
  if (token === undefined || !TOKEN.test(token)) return false
  const [nonce, given] = token.split('.')
  return timingSafeEqual(mac(secret, account, nonce), Buffer.from(given, 'base64url'))
}

/** Key of the device's budget. */
export const deviceKey = (token: string) => `device:${createHash('sha256').update(token).digest('base64url')}`
