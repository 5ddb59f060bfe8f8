import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RadxError } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import type { App, Deps } from './app.ts'
import { BadRequest, TooManyRequests } from './errors.ts'
import type { Session } from './sessions.ts'

const SHARED_BYTES = 256 * 2 ** 20
/** Bodies up to this announced length are small: forms without a grid, of which a page may send several at once. */
const SMALL_BYTES = 2 ** 20
const PER_USER = { small: 12, large: 2 } as const
type Size = keyof typeof PER_USER

/** Uploads under way in this process, whoever sends them: bytes on disk, and how many a user has open. */
export class UploadBudget {
  private readonly limit: number
  private held = 0
  private readonly open: Record<Size, Map<string, number>> = { small: new Map(), large: new Map() }

  constructor(limit = SHARED_BYTES) {
    this.limit = limit
  }

  get bytes(): number {
    return this.held
  }

  /**
   * Gives a user's upload a place while the task runs.
   * @param announced length that the sender announced; null, which counts as large, where it did not
   * @param task takes bytes as they come, by `take`, which throws 503 when everybody's together are too many
   * @throws TooManyRequests when the user has too many under way
   */
  async run<T>(
    user: string,
    announced: number | null,
    task: (take: (bytes: number) => void) => Promise<T>,
  ): Promise<T> {
    const size: Size = announced !== null && announced <= SMALL_BYTES ? 'small' : 'large'
    const places = this.open[size]
    const open = places.get(user) ?? 0
    if (open >= PER_USER[size])
      throw new TooManyRequests(
        `Vous avez déjà ${PER_USER[size]} envois en cours. Attendre la fin de l’un d’eux, puis réessayer.`,
      )
    places.set(user, open + 1)
    let own = 0
    const take = (bytes: number) => {
      if (this.held + bytes > this.limit)
        throw new RadxError(
          'uploads.busy',
          503,
          'Trop d’envois sont en cours sur ce serveur. Réessayer dans quelques secondes.',
        )
      own += bytes
      this.held += bytes
    }
    try {
      return await task(take)
    } finally {
      this.held -= own
      const left = (places.get(user) ?? 1) - 1
      if (left > 0) places.set(user, left)
      else places.delete(user)
    }
  }
}

/** Of this process. */
export const uploads = new UploadBudget()

export interface ReceiveOptions {
  folder: string
  /** Length that the sender announced; null where it did not. */
  announced: number | null
  maxBytes: number
  take(bytes: number): void
}

/** Files come as they are; nothing is read before the handler takes them. */
export function acceptFiles(app: App): void {
  for (const type of ['application/octet-stream', 'application/zip'])
    if (!app.hasContentTypeParser(type)) app.addContentTypeParser(type, (_request, _body, done) => done(null))
}

/** Has the body of a signed-in user's request, as bytes, on disk while `use` runs. @throws RadxError 400, 413, 429, 503 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  { config }: Pick<Deps, 'config'>,
  maxBytes: number,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  const announced = Number.isNaN(length) ? null : length
  return uploads.run((request.session as Session).name, announced, (take) =>
    receiveFile(
      request.raw,
      { folder: join(config.dataDir, 'uploads'), announced, maxBytes, take },
      async (path, bytes) => {
        if (bytes === 0) throw new BadRequest('file', 'body', 'Le fichier est vide.')
        return use(path)
      },
    ),
  )
}

/** As `receiveFile`, but hands the body to `use` as a stream. */
export const receive = <T>(
  body: Readable,
  options: ReceiveOptions,
  use: (whole: Readable, bytes: number) => Promise<T>,
): Promise<T> => receiveFile(body, options, (path, bytes) => use(createReadStream(path), bytes))

/**
 * Keeps a body on disk until it is whole, so that senders who are slow hold no memory, and hands its path to `use`. The
 * file is gone afterwards.
 * @throws RadxError 413 over the size, 503 over the budget of all
 */
export async function receiveFile<T>(
  body: Readable,
  { folder, announced, maxBytes, take }: ReceiveOptions,
  use: (path: string, bytes: number) => Promise<T>,
): Promise<T> {
  if (announced !== null && announced > maxBytes) throw tooLarge(maxBytes)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      try {
        if (bytes > maxBytes) throw tooLarge(maxBytes)
        take(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  try {
    await pipeline(body, counted, createWriteStream(path, { mode: 0o600 }))
    return await use(path, bytes)
  } finally {
    await rm(path, { force: true })
  }
}

const tooLarge = (maxBytes: number) =>
  new RadxError(
    'request.tooLarge',
    413,
    `La requête est trop volumineuse : ${Math.floor(maxBytes / 2 ** 20)} Mio au plus.`,
  )
