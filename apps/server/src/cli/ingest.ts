import { randomUUID } from 'node:crypto'
import { constants, copyFile, mkdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { countFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { systemClock } from '../clock.ts'
import { Ingest, type TakeResult } from '../ingest/ingest.ts'
import { openHandlers } from '../ingest/kinds.ts'
import { openStore } from '../store/open-store.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { type CommandContext, withDatabase } from './with-database.ts'

/** Files under way at once: what one commit gathers. */
const CONCURRENCY = 32
const PROGRESS_EVERY = 1_000

export const command = defineCommand({
  name: 'ingest',
  summary: 'enregistre des fichiers du radar, de la station ou du micro radar',
  description: [
    'Copie les fichiers, les vérifie, les enregistre et les archive ; les originaux restent où ils sont.',
    'Un fichier déjà enregistré ne change rien. Fonctionne à côté du serveur comme sans lui.',
    'Le code de retour est 1 dès qu’un fichier est refusé.',
  ].join('\n'),
  options: {
    product: {
      type: 'string',
      short: 'p',
      value: 'NOM',
      help: 'produit des fichiers qui n’en nomment pas (ODIM, volumes)',
    },
  },
  positionals: {
    label: 'FICHIER',
    help: 'fichiers Rainbow 5, ODIM HDF5, MRR-PRO ou TOA5',
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  run: ({ values, positionals }) =>
    withDatabase((context) => ingestFiles(context, positionals, values.product ?? null)),
})

async function ingestFiles(
  context: CommandContext,
  paths: string[],
  product: string | null,
): Promise<number> {
  const { config, site, catchments, db, log } = context
  if (product !== null && !site.products.some(({ shortName }) => shortName === product))
    throw new UsageError(
      `le produit « ${product} » n'existe pas. Produits du site : ${site.products.map((p) => p.shortName).join(', ')}.`,
    )
  const store = await openStore({ db, config, site, catchments })
  const { handlers, close } = openHandlers({ config, site, db, store, log })
  const abort = new AbortController()
  const onSignal = () => abort.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  const ingest = new Ingest({
    dataDir: config.dataDir,
    files: store.files,
    handlers,
    log,
    clock: systemClock,
    timeZone: site.timeZone,
    signal: abort.signal,
  })
  await ingest.prepareFolders()
  const staging = join(ingest.folders.staging, randomUUID())
  await mkdir(staging, { recursive: true })
  const counts = { stored: 0, known: 0, refused: 0, left: 0 }
  const given = new Set(paths.map((path) => resolve(path)))
  let next = 0
  const work = async () => {
    while (next < paths.length && !abort.signal.aborted) {
      const k = next++
      const result = await takeCopy(ingest, paths[k], join(staging, String(k)), { product, given })
      counts[result.status]++
      console.log(`${paths[k]} : ${describe(result)}`)
      const done = counts.stored + counts.known + counts.refused + counts.left
      if (done % PROGRESS_EVERY === 0) console.error(`${done} / ${paths.length} fichiers`)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  } finally {
    await rm(staging, { recursive: true, force: true })
    await close()
    await store.threads.close()
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
  const { stored, known, refused, left } = counts
  if (stored + refused > 0)
    await record(db, byProgram('command'), {
      action: 'data.change',
      subject: 'ingest',
      details: { stored: String(stored), known: String(known), refused: String(refused) },
    })
  const missing = paths.length - stored - known - refused
  const parts = [countFr(stored, 'enregistré'), countFr(known, 'déjà connu'), countFr(refused, 'refusé')]
  if (missing > 0) parts.push(countFr(missing, 'non traité'))
  console.log(parts.join(', '))
  if (abort.signal.aborted) return EXIT.interrupted
  return refused + left > 0 ? EXIT.failed : EXIT.ok
}

/** Takes in a copy, so that the source stays as it is. */
async function takeCopy(
  ingest: Ingest,
  path: string,
  folder: string,
  { product, given }: { product: string | null; given: ReadonlySet<string> },
): Promise<TakeResult> {
  const refuse = (code: string, message: string): TakeResult => ({
    status: 'refused',
    code,
    message,
    rejectedAs: null,
  })
  try {
    const info = await stat(path)
    if (!info.isFile()) return refuse('ingest.noFile', "Ceci n'est pas un fichier.")
    // A file that no kind can take is refused before it is copied.
    const largest = Math.max(...ingest.handlers.map(({ maxBytes }) => maxBytes))
    const copy = join(folder, basename(path))
    if (info.size > largest) return await ingest.take({ path, product, refused: 'keep' })
    await mkdir(folder)
    await ingest.patience.run(() => copyFile(path, copy, constants.COPYFILE_FICLONE))
    // Moments of one volume are those of the command, as they lie.
    const beside = {
      path: (name: string) => {
        const other = join(dirname(resolve(path)), name)
        return given.has(other) ? other : null
      },
      waited: false,
    }
    return await ingest.take({ path: copy, product, refused: 'keep', beside })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return refuse('ingest.noFile', "Le fichier n'existe pas.")
    if (code === 'EACCES') return refuse('ingest.noAccess', 'Le fichier ne peut pas être lu (droits).')
    return { status: 'left', message: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function describe(result: TakeResult): string {
  if (result.status === 'refused') return `refusé : ${result.message}`
  if ('summary' in result)
    return `${result.status === 'stored' ? 'enregistré' : 'déjà connu'} (${result.summary})`
  return `non traité : ${result.message}`
}
