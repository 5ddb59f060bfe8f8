import { AUDIT_PAGE_MAX } from '@radx/contracts'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { toAuditEvent } from '../audit/routes.ts'
import { listAudit, verifyAudit } from '../audit/service.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { table } from './table.ts'
import { instant } from './user-options.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'audit',
  summary: "montre le journal d'audit et en vérifie la chaîne",
  description:
    "Les lignes les plus récentes d'abord. --verify recalcule toute la chaîne ; --head compare avec une tête notée auparavant (numéro:empreinte), ce qui révèle une fin coupée.",
  options: {
    since: { type: 'string', value: 'DATE', help: 'à partir de (AAAA-MM-JJ ou instant ISO)' },
    json: { type: 'boolean', help: 'une ligne JSON par évènement' },
    verify: { type: 'boolean', help: 'vérifie la chaîne ; code de sortie 1 si elle est altérée' },
    head: { type: 'string', value: 'N:EMPREINTE', help: 'tête notée auparavant, pour --verify' },
  },
  run: ({ values }) =>
    withDatabase(async ({ db, site }) => {
      if (values.verify || values.head !== undefined) {
        const state = await verifyAudit(db, headOf(values.head))
        if (values.json) console.log(JSON.stringify(state))
        else if (state.sound)
          console.log(
            `Chaîne intacte : ${state.lines} lignes, ${state.removed} retirées par la rétention. Tête : ${state.head === null ? 'aucune' : `${state.head.n}:${state.head.hash}`}`,
          )
        else console.log(`Chaîne ALTÉRÉE à la ligne ${state.broken?.n} (${REASONS[state.broken!.reason]}).`)
        return state.sound ? EXIT.ok : EXIT.failed
      }
      const since =
        values.since === undefined
          ? undefined
          : (instant('--since', values.since, site.timeZone) ?? undefined)
      const text = (at: string) => formatDateTimeFr(at, site.timeZone)
      const rows: string[][] = []
      for (let before: number | undefined; ; ) {
        const page = (await listAudit(db, { since, before, limit: AUDIT_PAGE_MAX })).map(toAuditEvent)
        for (const event of page)
          if (values.json) console.log(JSON.stringify(event))
          else
            rows.push([
              String(event.n),
              text(event.at),
              event.actor ?? (event.via === 'command' ? '(commande)' : '–'),
              event.address ?? '–',
              event.action,
              event.subject ?? '–',
              Object.entries(event.details)
                .map(([key, value]) => `${key}=${value}`)
                .join(' '),
            ])
        if (page.length < AUDIT_PAGE_MAX) break
        before = page.at(-1)?.n
      }
      if (!values.json) console.log(table(['N°', 'QUAND', 'QUI', "D'OÙ", 'QUOI', 'SUR', 'DÉTAIL'], rows))
      return EXIT.ok
    }),
})

const REASONS = {
  anchor: "la signature de l'ancre ne correspond pas",
  missing: 'une ligne manque',
  changed: 'la ligne a été modifiée',
  head: "la tête notée n'en fait plus partie",
}

function headOf(text: string | undefined): { n: number; hash: string } | undefined {
  if (text === undefined) return undefined
  const parts = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text)
  if (!parts) throw new UsageError(`--head « ${text} » n'est pas de la forme numéro:empreinte.`)
  return { n: Number(parts[1]), hash: parts[2] }
}
