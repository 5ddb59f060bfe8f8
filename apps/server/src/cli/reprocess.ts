import { readFile } from 'node:fs/promises'
import { REPROCESSING_MAX_DAYS, reprocessingSchema } from '@radx/contracts'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { byProgram, record } from '../audit/api.ts'
import { compareProducts } from '../reprocessing/comparison.ts'
import { reprocess } from '../reprocessing/reprocess.ts'
import { listMadeProducts, madeProductNamed, makingOf } from '../reprocessing/service.ts'
import type { Span } from '../store/frame-index.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { removeMadeProduct } from '../store/remove-made-product.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { givenInstant } from './given-instant.ts'
import { table } from './table.ts'
import { type CommandContext, withDatabase } from './with-database.ts'

const DAY_MS = 86_400_000
const NAME = { label: 'NOM', help: 'nom du produit retraité', min: 1, max: 1 }

const run = defineCommand({
  name: 'reprocess run',
  summary: 'retraite les volumes gardés d’une période avec d’autres paramètres, en un produit à part',
  description: [
    `La période compte ${REPROCESSING_MAX_DAYS} jours au plus. Le produit n’est visible qu’une fois entier ; interrompu, rien n’en reste. Avec`,
    '--replace, l’ancien produit retraité de ce nom est retiré dès le début. Fonctionne à côté du serveur comme sans lui.',
  ].join('\n'),
  options: {
    source: {
      type: 'string',
      value: 'PRODUIT',
      help: 'produit dont les volumes sont relus (celui du site par défaut)',
    },
    from: { type: 'string', value: 'INSTANT', help: 'début de la période (obligatoire)' },
    to: { type: 'string', value: 'INSTANT', help: 'fin de la période (obligatoire)' },
    title: { type: 'string', value: 'TITRE', help: 'nom complet, tel qu’il est affiché' },
    parameters: {
      type: 'string',
      value: 'FICHIER.json',
      help: 'ce qui change de la partie polarimetry de site.json : sweeps, highestDeg, noPhase, horizon, alpha, b, rainOfA',
    },
    replace: { type: 'boolean', help: 'remplace le produit retraité de ce nom' },
  },
  positionals: { ...NAME, help: 'nom du nouveau produit : lettres minuscules, chiffres et tirets' },
  async run({ values, positionals: [name] }) {
    const span = { startMs: givenInstant('from', values.from), endMs: givenInstant('to', values.to) }
    if (!(span.endMs > span.startMs)) throw new UsageError('--to vient après --from.')
    if (span.endMs - span.startMs > REPROCESSING_MAX_DAYS * DAY_MS)
      throw new UsageError(`la période dépasse ${REPROCESSING_MAX_DAYS} jours.`)
    const parameters = values.parameters === undefined ? {} : await jsonOf(values.parameters)
    return withStore(async (context, store) => {
      const asked = reprocessingSchema.safeParse({
        source: values.source ?? context.site.defaultProduct,
        start: new Date(span.startMs).toISOString(),
        end: new Date(span.endMs).toISOString(),
        name,
        longName: values.title,
        parameters,
        replace: values.replace === true,
      })
      if (!asked.success) {
        const [{ path, message }] = asked.error.issues
        throw new UsageError(`${path.join('.')} : ${message}`)
      }
      return make(context, store, asked.data)
    })
  },
})

async function make(
  context: CommandContext,
  store: Store,
  asked: ReturnType<typeof reprocessingSchema.parse>,
): Promise<number> {
  const { config, site, db } = context
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    const made = await reprocess(
      {
        ...{ config, site, store, signal: stop.signal },
        progress: (_done, _of, message) => console.error(message),
        log: (line) => console.error(line),
        goesOn: async () => false,
      },
      { ...makingOf(site, asked, 'radx'), jobId: null },
    )
    const details = { product: made.product, frames: String(made.frames), lost: String(made.lost) }
    await record(db, byProgram('command'), { action: 'data.change', subject: 'reprocess', details })
    const { lost, others } = made
    const rest = [
      lost > 0 ? `${countFr(lost, 'volume perdu', 'volumes perdus')}` : '',
      others > 0 ? `${countFr(others, 'image')} de la période sans volume` : '',
    ]
    console.log(
      [`${made.product} : ${countFr(made.frames, 'image faite', 'images faites')}`, ...rest]
        .filter((part) => part !== '')
        .join(', '),
    )
    return EXIT.ok
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.log('interrompu : rien n’est gardé')
    return EXIT.interrupted
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

const list = defineCommand({
  name: 'reprocess list',
  summary: 'produits retraités',
  run: () =>
    withStore(async (_context, store) => {
      const rows = (await listMadeProducts(store)).map((one) => [
        one.shortName,
        one.source,
        one.start,
        one.end,
        String(one.frames),
        one.ready ? 'entier' : 'en cours',
        JSON.stringify(one.parameters),
      ])
      console.log(table(['nom', 'source', 'début', 'fin', 'images', 'état', 'paramètres'], rows))
      return EXIT.ok
    }),
})

const compare = defineCommand({
  name: 'reprocess compare',
  summary: 'un produit retraité face à celui dont il vient, sur sa période et par heure',
  options: { json: { type: 'boolean', help: 'en JSON' } },
  positionals: NAME,
  run: ({ values, positionals: [name] }) =>
    withStore(async (_context, store) => {
      const all = await listMadeProducts(store)
      const { made } = await madeProductNamed(store, name)
      const { start, end } = all.find(({ shortName }) => shortName === name)!
      const span: Span = { startMs: Date.parse(start), endMs: Date.parse(end) }
      const compared = await compareProducts(store, { product: name, source: made.source, span })
      if (values.json) console.log(JSON.stringify(compared, null, 2))
      else {
        const rows = compared.hours.map((hour) => [hour.hour, ...cellsOf(hour)])
        console.log(table(COLUMNS, [...rows, ['période', ...cellsOf(compared.whole)]]))
        if (compared.onlyOld > 0)
          console.log(`${countFr(compared.onlyOld, 'image')} de ${made.source} sans pendant`)
      }
      return EXIT.ok
    }),
})

const COLUMNS = [
  'heure (UTC)',
  'images',
  'mailles',
  'sèches',
  'absentes (ancien)',
  'absentes (nouveau)',
  'ancien mm/h',
  'nouveau mm/h',
  'écart',
  'corrélation',
  'EQM',
]

type Row = Awaited<ReturnType<typeof compareProducts>>['whole']

const cellsOf = (row: Row): string[] => [
  ...[row.frames, row.cells, row.dryCells, row.missingInOld, row.missingInNew].map(String),
  ...[row.oldMeanMmH, row.newMeanMmH, row.biasMmH, row.correlation, row.rmseMmH].map((value) =>
    value === null ? '' : formatNumberFr(value, 3),
  ),
]

const remove = defineCommand({
  name: 'reprocess remove',
  summary: 'supprime un produit retraité ; les volumes d’origine restent',
  positionals: NAME,
  run: ({ positionals: [name] }) =>
    withStore(async ({ db }, store) => {
      await removeMadeProduct(store, await madeProductNamed(store, name))
      const details = { removed: name, at: isoSeconds(Date.now()) }
      await record(db, byProgram('command'), { action: 'data.change', subject: 'reprocess', details })
      console.log(`${name} : supprimé`)
      return EXIT.ok
    }),
})

export const command = commandGroup('reprocess', 'retraite des volumes gardés avec d’autres paramètres', {
  run,
  list,
  compare,
  remove,
})

const withStore = (use: (context: CommandContext, store: Store) => Promise<number>): Promise<number> =>
  withDatabase(async (context) => {
    const store = await openStore(context)
    try {
      return await use(context, store)
    } finally {
      await store.threads.close()
    }
  })

async function jsonOf(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--parameters : le fichier « ${path} » ne peut pas être lu.`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--parameters : « ${path} » n’est pas du JSON.`)
  }
}
