import { timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_S = 30
/** A code is good for its own 30 s and the ones beside them (RFC 6238, 5.2). */
const WINDOW = 1
/** How far a wrong clock is looked for: an hour. */
const FAR = 120

const generator = (secret: Buffer) =>
  new TOTP({
    issuer: 'RadX',
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_S,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

export const stepAt = (nowMs: number) => Math.floor(nowMs / 1000 / STEP_S)

/**
 * The `otpauth:` address that an application of one-time codes scans, and the secret for typing.
 * SHA-1, 6 digits and 30 s are what every application takes; as HMAC, SHA-1 is sound (RFC 6238).
 */
export function totpAddress(secret: Buffer, account: string): { address: string; secret: string } {
  const totp = generator(secret)
  totp.label = account
  return { address: totp.toString(), secret: totp.secret.base32 }
}

export const codeAt = (secret: Buffer, step: number) =>
  generator(secret).generate({ timestamp: step * STEP_S * 1000 })

/** The time step that a code is for, among those from `low` to `high`; null for none. */
function stepOf(secret: Buffer, code: string, low: number, high: number): number | null {
  const given = Buffer.from(code)
  let found: number | null = null
  for (let step = low; step <= high; step++)
    if (given.length === 6 && timingSafeEqual(Buffer.from(codeAt(secret, step)), given)) found ??= step
  return found
}

/** The step of a code that is good now; null when it is not. */
export const goodStep = (secret: Buffer, code: string, nowMs: number): number | null =>
  stepOf(secret, code, stepAt(nowMs) - WINDOW, stepAt(nowMs) + WINDOW)

/**
 * Minutes by which the clock that made a refused code is wrong, negative when it is slow; null when the code is of no
 * moment around.
 * @param ahead whether to look for fast clocks, too: only where who asks holds the secret anyway, since it would tell a
 * guesser a code that is good later
 */
export function clockError(secret: Buffer, code: string, nowMs: number, ahead: boolean): number | null {
  const now = stepAt(nowMs)
  const step = stepOf(secret, code, now - FAR, ahead ? now + FAR : now - WINDOW - 1)
  if (step === null || Math.abs(step - now) <= WINDOW) return null
  return Math.round(((step - now) * STEP_S) / 60) || Math.sign(step - now)
}
