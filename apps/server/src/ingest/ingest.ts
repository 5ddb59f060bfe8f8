import { mkdir, open, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CLOCK_TOLERANCE_SECONDS, RadxError } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { rejectFile } from '../store/file-moves.ts'
import type { FileStore } from '../store/file-store.ts'
import { ArchiveClaims } from './claims.ts'
import { ingestFolders } from './folders.ts'
import type { Beside, IncomingFile, IngestHandler, PreparedFile } from './handlers.ts'
import { Patience, pauseReason } from './patience.ts'
import { IngestRefusal, maybeUnfinished } from './refusal.ts'

const FUTURE_TOLERANCE_MS = CLOCK_TOLERANCE_SECONDS * 1000
/** No file of these kinds is older; an instrument that lost its clock starts at 1970 or 1980. */
const EARLIEST_MS = Date.UTC(1990, 0, 1)
const HEAD_BYTES = 4096

/** What became of a file. */
export type TakeResult =
  | { status: 'stored' | 'known'; summary: string }
  | { status: 'refused'; code: string; message: string; rejectedAs: string | null }
  /** Nothing was decided; the file stays where it is. */
  | { status: 'left'; message: string }

export interface TakeRequest {
  path: string
  product: string | null
  /** Name that its sender gave it; that of the path by default. */
  name?: string
  /**
   * Where a refused file goes: to the rejected folder, or nowhere (it stays); with `keepUnfinished` it stays
   * when the rest of it could still come.
   */
  refused: 'reject' | 'keep' | 'keepUnfinished'
  /** Goes ahead of others; false by default. */
  urgent?: boolean
  /** By default its folder, of which nothing was waited for. */
  beside?: Beside
}

export interface IngestOptions {
  dataDir: string
  /** Where originals go. */
  files: FileStore
  handlers: IngestHandler[]
  log: Logger
  clock: Clock
  timeZone: string
  signal: AbortSignal
  pauseMs?: number
}

/** The folder of a file. */
export const besideOf = (path: string, waited = false): Beside => ({
  path: (name) => join(dirname(path), name),
  waited,
})

/** Takes files in, one call a file: checks, stores, and puts the original where it belongs. */
export class Ingest {
  readonly folders: ReturnType<typeof ingestFolders>
  readonly patience: Patience
  readonly handlers: IngestHandler[]
  private readonly options: IngestOptions
  private readonly claims: ArchiveClaims

  constructor(options: IngestOptions) {
    this.options = options
    this.handlers = options.handlers
    this.folders = ingestFolders(options.dataDir)
    this.patience = new Patience(options)
    this.claims = new ArchiveClaims(options.files)
  }

  async prepareFolders(): Promise<void> {
    const { inbox, rejected, staging } = this.folders
    for (const folder of [inbox, rejected, staging]) await mkdir(folder, { recursive: true })
  }

  /** Never throws but when it is told to stop; what it cannot decide it leaves. */
  async take(request: TakeRequest): Promise<TakeResult> {
    const name = request.name ?? basename(request.path)
    const { log } = this.options
    try {
      return await this.patience.run(() => this.store(request, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { status: 'left', message: 'le fichier a disparu' }
      if (this.options.signal.aborted || pauseReason(error) !== null)
        return { status: 'left', message: 'arrêt demandé' }
      if (error instanceof RadxError && error.status === 422) return this.refuse(request, name, error)
      log.error(
        { err: error, file: request.path },
        `Le fichier « ${name} » reste en place : erreur inattendue`,
      )
      return { status: 'left', message: error instanceof Error ? error.message : String(error) }
    }
  }

  private async store(request: TakeRequest, name: string): Promise<TakeResult> {
    const file = await this.look(request, name)
    const takers = this.handlers.filter((candidate) => candidate.matches(file))
    if (takers.length === 0)
      throw new IngestRefusal(
        'unknownKind',
        "Ce fichier ne vient d'aucun instrument connu (Rainbow 5, ODIM HDF5, MRR-PRO, TOA5). Vérifiez son extension et le dossier de dépôt.",
      )
    const { kind, prepared } = await prepareBy(takers, file)
    try {
      return await this.keep(request, kind, name, prepared)
    } finally {
      prepared.release?.()
    }
  }

  private async keep(
    { path }: TakeRequest,
    kind: string,
    name: string,
    prepared: PreparedFile,
  ): Promise<TakeResult> {
    const { hash, bytes, firstMs, lastMs, summary } = prepared
    this.checkClock(firstMs)
    this.checkClock(lastMs)
    const claim = await this.claims.claim(kind, lastMs, name, hash)
    try {
      const source = { hash: Buffer.from(hash), kind, name, bytes, archivePath: claim.path }
      const known = await prepared.commit(source)
      await this.options.files.keepOriginal(path, known?.archivePath ?? claim.path)
      return { status: known === null ? 'stored' : 'known', summary }
    } finally {
      claim.release()
    }
  }

  private async look(request: TakeRequest, name: string): Promise<IncomingFile> {
    const { path, product, urgent = false, beside = besideOf(path) } = request
    const info = await stat(path)
    if (!info.isFile()) throw new IngestRefusal('noFile', "Ceci n'est pas un fichier.")
    if (info.size === 0)
      throw new IngestRefusal(
        'empty',
        "Le fichier est vide. Attendez la fin de la copie ou copiez-le de nouveau depuis l'instrument.",
      )
    const handle = await open(path, 'r')
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0)
      return { path, name, bytes: info.size, head: head.subarray(0, bytesRead), product, urgent, beside }
    } finally {
      await handle.close()
    }
  }

  private async refuse(request: TakeRequest, name: string, error: RadxError): Promise<TakeResult> {
    const { code, message } = error
    if (request.refused === 'keep' || (request.refused === 'keepUnfinished' && maybeUnfinished(code)))
      return { status: 'refused', code, message, rejectedAs: null }
    const now = formatDateTimeFr(this.options.clock.now(), this.options.timeZone)
    const reason = `Fichier : ${name}\nRefusé le : ${now}\nMotif : ${message}\nCode : ${code}\n`
    try {
      const rejectedAs = await this.patience.run(() =>
        rejectFile(request.path, this.folders.rejected, name, reason),
      )
      this.options.log.warn({ code, rejectedAs }, `Fichier refusé « ${name} » : ${message}`)
      return { status: 'refused', code, message, rejectedAs }
    } catch (failure) {
      this.options.log.error({ err: failure }, `Le fichier refusé « ${name} » n'a pas pu être mis de côté`)
      return { status: 'left', message }
    }
  }

  private checkClock(measuredMs: number): void {
    const now = this.options.clock.now()
    if (!(measuredMs <= now + FUTURE_TOLERANCE_MS))
      throw new IngestRefusal(
        'future',
        `Le fichier est daté du ${formatDateTimeFr(measuredMs, this.options.timeZone)}, dans le futur. Réglez l'horloge de l'instrument, puis déposez-le de nouveau s'il est juste.`,
        { time: isoSeconds(measuredMs) },
      )
    if (measuredMs < EARLIEST_MS)
      throw new IngestRefusal(
        'clock',
        `Le fichier est daté du ${formatDateTimeFr(measuredMs, this.options.timeZone)}, avant tout radar de ce type. Réglez l'horloge de l'instrument.`,
        { time: isoSeconds(measuredMs) },
      )
  }
}

/** Prepares a file by the first handler whose it is. @throws what that one says, or the first where it is nobody's */
async function prepareBy(
  takers: readonly IngestHandler[],
  file: IncomingFile,
): Promise<{ kind: string; prepared: PreparedFile }> {
  let foreign: unknown
  for (const handler of takers) {
    const { kind, maxBytes } = handler
    if (file.bytes > maxBytes) {
      foreign ??= new IngestRefusal(
        'tooLarge',
        `Le fichier pèse ${Math.round(file.bytes / 2 ** 20)} Mio, plus que les ${Math.round(maxBytes / 2 ** 20)} Mio acceptés. Vérifiez qu'il vient bien de l'instrument.`,
        { bytes: file.bytes, maxBytes },
      )
      continue
    }
    try {
      return { kind, prepared: await handler.prepare(file) }
    } catch (error) {
      if (!(await handler.isForeign?.(file))) throw error
      foreign ??= error
    }
  }
  throw foreign
}
