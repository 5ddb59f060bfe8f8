import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { writeOnce } from '../../store/file-moves.ts'
import { SeedKeyUnfit } from './errors.ts'
import './tables.ts'

type Db = Kysely<Database>

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Of a seed as it was kept before it was encrypted. */
const PLAIN_BYTES = 20
/** First byte of an encrypted seed: which way of encrypting. */
const AES_256_GCM = 1
const MARK = 'totp.seed-key'

/** Where the key is kept when the settings give none. */
export const seedKeyFile = (dataDir: string) => join(dataDir, 'seed.key')

/**
 * Seeds of one-time codes as the database keeps them: AES-256-GCM, bound to their account. The key lies outside the
 * database (in the settings or in a file of the data folder), so that a copy of the database makes no codes. What the
 * database has of it is a mark, which tells a process with another key.
 */
export class Seeds {
  private readonly db: Db
  private readonly dataDir: string
  private readonly given: Buffer | null
  private key: Promise<Buffer> | null = null

  /** @param given key of the settings, 32 bytes; null takes that of the data folder, which is made at first use */
  constructor(db: Db, dataDir: string, given: Buffer | null) {
    this.db = db
    this.dataDir = dataDir
    this.given = given
  }

  /** @throws SeedKeyUnfit */
  async seal(seed: Buffer, accountId: string): Promise<Buffer> {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', await this.fit(), nonce).setAAD(Buffer.from(accountId))
    const sealed = Buffer.concat([cipher.update(seed), cipher.final()])
    return Buffer.concat([Buffer.from([AES_256_GCM]), nonce, sealed, cipher.getAuthTag()])
  }

  /** @throws SeedKeyUnfit, also for bytes that are not those of this account */
  async open(kept: Buffer, accountId: string): Promise<Buffer> {
    if (kept.length === PLAIN_BYTES) return kept
    const key = await this.fit()
    if (kept[0] !== AES_256_GCM) throw new SeedKeyUnfit()
    const nonce = kept.subarray(1, 1 + NONCE_BYTES)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(accountId))
        .setAuthTag(kept.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(kept.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    } catch {
      throw new SeedKeyUnfit()
    }
  }

  /** Looks whether the key fits, and encrypts the seeds of before. @returns how many there were. @throws SeedKeyUnfit */
  async sealPlain(): Promise<number> {
    const rows = await this.db.selectFrom('totp').select(['account_id', 'secret']).execute()
    if (rows.length > 0) await this.fit()
    const plain = rows.filter(({ secret }) => secret.length === PLAIN_BYTES)
    for (const { account_id, secret } of plain)
      await this.db
        .updateTable('totp')
        .set({ secret: await this.seal(secret, account_id) })
        .where('account_id', '=', account_id)
        .where('secret', '=', secret)
        .execute()
    return plain.length
  }

  /** The key, once it is known to be the one that the seeds were encrypted with. */
  private fit(): Promise<Buffer> {
    this.key ??= this.find().catch((error) => {
      this.key = null
      throw error
    })
    return this.key
  }

  private async find(): Promise<Buffer> {
    const known = this.given ?? (await this.read())
    if (known === null && (await this.sealedOnes())) throw new SeedKeyUnfit()
    const key = known ?? (await this.make())
    const mark = createHmac('sha256', key).update('radx seeds').digest('base64')
    const value = JSON.stringify(mark) as never
    await this.db
      .insertInto('setting')
      .values({ key: MARK, value })
      .onConflict((c) => c.column('key').doNothing())
      .execute()
    const row = await this.db
      .selectFrom('setting')
      .select('value')
      .where('key', '=', MARK)
      .executeTakeFirstOrThrow()
    if (row.value === mark) return key
    // Another key is no fault as long as nothing was encrypted with the one before.
    if (await this.sealedOnes()) throw new SeedKeyUnfit()
    await this.db.updateTable('setting').set({ value }).where('key', '=', MARK).execute()
    return key
  }

  private async sealedOnes(): Promise<boolean> {
    const rows = await this.db.selectFrom('totp').select('secret').execute()
    return rows.some(({ secret }) => secret.length !== PLAIN_BYTES)
  }

  private async read(): Promise<Buffer | null> {
    const text = await readFile(seedKeyFile(this.dataDir), 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (text === null) return null
    const key = Buffer.from(text.trim(), 'base64')
    if (key.length !== KEY_BYTES) throw new SeedKeyUnfit()
    return key
  }

  /** Of several processes the first one's stands. */
  private async make(): Promise<Buffer> {
    await writeOnce(seedKeyFile(this.dataDir), `${randomBytes(KEY_BYTES).toString('base64')}\n`, 0o600)
    return (await this.read())!
  }
}
