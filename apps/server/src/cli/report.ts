import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { MontanaTable, Report } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import { siteGauges } from '../gauges/api.ts'
import { eventReport } from '../reports/event.ts'
import { reportPdf } from '../reports/pdf.ts'
import { runReport } from '../reports/run.ts'
import { openStore } from '../store/open-store.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { tableOf } from './storm-options.ts'
import { type CommandContext, withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'report',
  summary: 'fait le rapport PDF d’un évènement ou d’une simulation',
  description: [
    'EVENT est un évènement du site (ev7) ou l’identifiant d’un évènement enregistré, RUN celui d’une simulation finie.',
    'Les mêmes données donnent le même fichier, octet pour octet.',
  ].join('\n'),
  options: {
    out: { type: 'string', short: 'o', value: 'FICHIER.pdf', help: 'fichier à écrire (obligatoire)' },
    montana: {
      type: 'string',
      value: 'TABLE.csv',
      help: 'coefficients des périodes de retour ; sinon le premier tableau du site',
    },
    units: {
      type: 'string',
      value: 'UNITÉS',
      help: 'du tableau : mm-min (par défaut), mmh-min ou mmh-h (i puis t)',
    },
    valid: { type: 'string', value: 'DE-À', help: 'durées du tableau en minutes, s’il ne les donne pas' },
  },
  positionals: { label: 'EVENT|RUN', help: 'évènement ou simulation', min: 1, max: 1 },
  async run({ values, positionals: [id] }) {
    const { out } = values
    if (!out) throw new UsageError('il manque --out FICHIER.pdf. radx report --help donne le détail.')
    const own = values.montana === undefined ? undefined : await ownTable(values.montana, values)
    return withDatabase(async (context) => {
      const report = await reportOf(context, id, own)
      await writeFile(out, await reportPdf(report)).catch((error: NodeJS.ErrnoException) => {
        throw new RadxError(
          'report.out',
          500,
          `${out} ne peut être écrit (${error.code}). Vérifier le dossier.`,
        )
      })
      console.log(`${report.title}\n${out}`)
      return EXIT.ok
    })
  },
})

async function ownTable(path: string, given: { units?: string; valid?: string }): Promise<MontanaTable> {
  const { laws, remarksFr } = await tableOf(path, given)
  for (const remark of remarksFr) console.error(`attention : ${remark}`)
  return { id: 'fichier', name: basename(path), note: remarksFr.join(' '), owner: 'user', laws }
}

async function reportOf(
  { db, config, site, catchments }: CommandContext,
  id: string,
  own: MontanaTable | undefined,
): Promise<Report> {
  const [first] = site.montana
  const table = own ?? (first ? { ...first, owner: 'site' as const } : null)
  const event = await eventOf({ db, site }, id)
  if (event === null) {
    const run = /^[0-9a-f-]{36}$/i.test(id)
      ? await db.selectFrom('job').select('id').where('id', '=', id).executeTakeFirst()
      : undefined
    if (!run)
      throw new UsageError(
        `« ${id} » n’est ni un évènement du site (${site.events.map((one) => one.id).join(', ')}), ni un évènement enregistré, ni une simulation.`,
      )
    return runReport({ db, config, site }, id, table)
  }
  const store = await openStore({ db, config, site, catchments })
  try {
    return await eventReport(
      { db, config, site, catchments, store, nowMs: Date.now() },
      { ...event, zone: event.zone ?? site.defaultCatchment, points: [], gauges: siteGauges(site), table },
    )
  } finally {
    await store.threads.close()
  }
}

/** What falls into an event of the site or a saved one; null for anything else. */
async function eventOf({ db, site }: Pick<CommandContext, 'db' | 'site'>, id: string) {
  const ours = site.events.find((event) => event.id === id)
  if (ours)
    return {
      title: ours.title,
      product: ours.product,
      span: { startMs: Date.parse(ours.start), endMs: Date.parse(ours.end) },
      zone: null,
      comment: '',
    }
  if (!/^[0-9a-f-]{36}$/i.test(id)) return null
  const saved = await db.selectFrom('saved_event').selectAll().where('id', '=', id).executeTakeFirst()
  if (!saved) return null
  return {
    title: saved.title,
    product: saved.product,
    span: { startMs: saved.period_start.getTime(), endMs: saved.period_end.getTime() },
    zone: saved.subcatchment ?? saved.catchment,
    comment: saved.comment,
  }
}
