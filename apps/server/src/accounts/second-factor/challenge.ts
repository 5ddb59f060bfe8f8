import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const CHALLENGE_MS = 5 * 60_000
const HEAD = 16 + 8

/**
 * A challenge that needs no memory: 16 random bytes, the instant of its end, and their HMAC for one purpose. Nobody can
 * fill a table by asking for challenges; which ones were used is kept until they end.
 */
export function newChallenge(secret: Buffer, purpose: string, nowMs: number): Buffer {
  const head = Buffer.alloc(HEAD)
  randomBytes(16).copy(head)
  head.writeBigUInt64BE(BigInt(nowMs + CHALLENGE_MS), 16)
  return Buffer.concat([head, mac(secret, purpose, head)])
}

/** When a challenge of ours for this purpose ends, ms; null for one that is not ours or has ended. */
export function challengeEnd(
  secret: Buffer,
  purpose: string,
  challenge: Buffer,
  nowMs: number,
): number | null {
  if (challenge.length !== HEAD + 32) return null
  const head = challenge.subarray(0, HEAD)
  if (!timingSafeEqual(mac(secret, purpose, head), challenge.subarray(HEAD))) return null
  const end = Number(head.readBigUInt64BE(16))
  return end > nowMs ? end : null
}

const mac = (secret: Buffer, purpose: string, head: Buffer) =>
  createHmac('sha256', secret).update(`${purpose}\n`).update(head).digest()
