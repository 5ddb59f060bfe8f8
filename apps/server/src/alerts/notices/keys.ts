import { createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/schema.ts'
import { writeOnce } from '../../store/file-moves.ts'

const KEY_BYTES = 32
const MARK = 'alerts.notice-key'

/** Where the key is kept when the settings give none. */
export const noticeKeyFile = (dataDir: string) => join(dataDir, 'notice.key')

/**
 * Keys of notices, all made from one: that of the settings, or of a file of the data folder that its account alone reads. A
 * copy of the database signs nothing.
 */
export class NoticeKeys {
  private readonly dataDir: string
  private readonly given: Buffer | null
  private key: Promise<Buffer> | null = null

  constructor({ dataDir, notices }: Pick<Config, 'dataDir' | 'notices'>) {
    this.dataDir = dataDir
    this.given = notices.key
  }

  /** Of Web Push (RFC 8292), base64url. */
  async vapid(): Promise<{ publicKey: string; privateKey: string }> {
    const ecdh = createECDH('prime256v1')
    const scalar = Buffer.from(hkdfSync('sha256', await this.read(), '', 'vapid', KEY_BYTES))
    ecdh.setPrivateKey(scalar)
    return { publicKey: ecdh.getPublicKey('base64url'), privateKey: scalar.toString('base64url') }
  }

  /** What a webhook's calls are signed with. */
  async webhook(id: string): Promise<string> {
    const mac = createHmac('sha256', await this.read()).update(`webhook ${id}`)
    return `whsec_${mac.digest('base64url')}`
  }

  /** Whether browsers and webhooks know this key; the first process that asks decides which one it is. */
  async isKnown(db: Kysely<Database>): Promise<boolean> {
    const mark = createHmac('sha256', await this.read())
      .update('mark')
      .digest('hex')
    await db
      .insertInto('setting')
      .values({ key: MARK, value: JSON.stringify(mark) })
      .onConflict((c) => c.column('key').doNothing())
      .execute()
    const row = await db.selectFrom('setting').select('value').where('key', '=', MARK).executeTakeFirst()
    return row?.value === mark
  }

  private read(): Promise<Buffer> {
    this.key ??= this.find().catch((error) => {
      this.key = null
      throw error
    })
    return this.key
  }

  /** Of several processes the first one's stands. */
  private async find(): Promise<Buffer> {
    if (this.given) return this.given
    const path = noticeKeyFile(this.dataDir)
    const read = async () => Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
    try {
      return await read()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    await writeOnce(path, `${randomBytes(KEY_BYTES).toString('base64')}\n`, 0o600)
    return read()
  }
}
