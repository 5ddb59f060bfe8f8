import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeOnce } from '../../store/file-moves.ts'

interface Kept {
  /** Of Web Push (RFC 8292), base64url. */
  vapid: { publicKey: string; privateKey: string }
  /** From which the keys of webhooks are made, base64. */
  webhooks: string
}

export const noticeKeyFile = (dataDir: string) => join(dataDir, 'notice-keys.json')

/** Keys of notices, in a file of the data folder that its account alone reads: a copy of the database signs nothing. */
export class NoticeKeys {
  readonly #dataDir: string
  #kept: Promise<Kept> | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async vapid(): Promise<Kept['vapid']> {
    return (await this.#read()).vapid
  }

  /** What a webhook's calls are signed with. */
  async webhook(id: string): Promise<string> {
    const { webhooks } = await this.#read()
    return `whsec_${createHmac('sha256', Buffer.from(webhooks, 'base64')).update(id).digest('base64url')}`
  }

  #read(): Promise<Kept> {
    this.#kept ??= this.#find().catch((error) => {
      this.#kept = null
      throw error
    })
    return this.#kept
  }

  /** Of several processes the first one's stands. */
  async #find(): Promise<Kept> {
    const path = noticeKeyFile(this.#dataDir)
    const read = async () => JSON.parse(await readFile(path, 'utf8')) as Kept
    try {
      return await read()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
      format: 'jwk',
    })
    const point = Buffer.concat([
      Buffer.from([4]),
      Buffer.from(x!, 'base64url'),
      Buffer.from(y!, 'base64url'),
    ])
    const made: Kept = {
      vapid: { publicKey: point.toString('base64url'), privateKey: d! },
      webhooks: randomBytes(32).toString('base64'),
    }
    await writeOnce(path, `${JSON.stringify(made, null, 2)}\n`, 0o600)
    return read()
  }
}
