import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { installationSecret } from '../db/secret.ts'

/** How long a signed address is good for: longer than anyone looks at one selection. */
const VALID_MS = 60 * 60_000
/** Addresses made within this time are the same, so that browsers keep the picture. */
const ROUND_MS = 10 * 60_000
const MOST_GIVEN = 20_000

const stamp = (timeMs: number) => new Date(timeMs).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** `20210704T155000Z.png`, with milliseconds when there are some. */
function imageFile(timeMs: number): string {
  const ms = timeMs % 1000
  return `${stamp(timeMs).replace('Z', ms === 0 ? 'Z' : `.${String(ms).padStart(3, '0')}Z`)}.png`
}

/** Instant of a file name of `imageFile`; null for anything else. */
export function timeOfImage(file: string): number | null {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{3})?Z\.png$/.exec(file)
  if (!m) return null
  const ms = Date.parse(`${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}${m[7] ?? ''}Z`)
  return Number.isFinite(ms) ? ms : null
}

/** Makes and checks the addresses of frames' pictures. */
export class ImageAddresses {
  private readonly secret: Buffer
  /** Signatures of the addresses given out last, all until `until`: lists of a day ask for the same again and again. */
  private readonly given = new Map<string, string>()
  private until = 0

  constructor(secret: Buffer) {
    this.secret = secret
  }

  /** The installation's own secret, made at first use; every process has the same. */
  static async open(db: Kysely<Database>): Promise<ImageAddresses> {
    return new ImageAddresses(await installationSecret(db, 'image.secret'))
  }

  /** Address that works while the frame is in the live window. */
  open(product: string, timeMs: number): string {
    return `/images/radar/${product}/${imageFile(timeMs)}`
  }

  /** Address that works for anyone who has it, for about an hour. */
  signed(product: string, timeMs: number, nowMs: number): string {
    const expires = Math.floor(nowMs / ROUND_MS) * ROUND_MS + VALID_MS
    if (expires !== this.until || this.given.size >= MOST_GIVEN) {
      this.given.clear()
      this.until = expires
    }
    const key = `${product} ${timeMs}`
    let signature = this.given.get(key)
    if (signature === undefined) {
      signature = this.signature(product, timeMs, expires)
      this.given.set(key, signature)
    }
    return `${this.open(product, timeMs)}?x=${expires}&k=${signature}`
  }

  isSigned(product: string, timeMs: number, nowMs: number, expires: number, signature: string): boolean {
    if (!(nowMs < expires)) return false
    const mine = Buffer.from(this.signature(product, timeMs, expires))
    const theirs = Buffer.from(signature)
    return mine.length === theirs.length && timingSafeEqual(mine, theirs)
  }

  private signature(product: string, timeMs: number, expires: number): string {
    return createHmac('sha256', this.secret)
      .update(`${product} ${timeMs} ${expires}`)
      .digest('base64url')
      .slice(0, 27)
  }
}
