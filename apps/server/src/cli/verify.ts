import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { saveVerification } from '../keep-verified.ts'
import { openStore } from '../store/open-store.ts'
import { verifyAll } from '../verification.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

const RATE_MB = 50

export const command = defineCommand({
  name: 'verify',
  summary: 'relit tout ce qui est enregistré et le compare à ses sommes de contrôle',
  description: [
    'Images, classes, tuiles, profils, originaux, résultats et bassins. Le serveur peut continuer de tourner.',
    'Ce qui date d’avant les sommes de contrôle en reçoit. Avec --repair, ce qui est endommagé est refait depuis',
    'les images ou les originaux archivés. Le code de retour est 1 tant que quelque chose reste endommagé.',
  ].join('\n'),
  options: {
    repair: { type: 'boolean', help: 'refait ce qui est endommagé' },
    rate: { type: 'string', value: 'MO', help: `lecture en Mo par seconde, 0 sans limite (${RATE_MB})` },
  },
  run: ({ values }) => {
    const rate = values.rate === undefined ? RATE_MB : Number(values.rate)
    if (!(rate >= 0))
      throw new UsageError(`--rate « ${values.rate} » : un nombre de Mo par seconde est attendu.`)
    return withDatabase(async (context) => {
      const store = await openStore(context)
      const stop = new AbortController()
      process.once('SIGINT', () => stop.abort())
      try {
        const report = await verifyAll({
          deps: context,
          store,
          repair: values.repair === true,
          bytesPerSecond: rate === 0 ? Number.POSITIVE_INFINITY : rate * 1e6,
          signal: stop.signal,
          progress: (part) => console.log(`${part}…`),
        })
        await saveVerification(context.db, new Date(), report)
        if (values.repair === true)
          await record(context.db, byProgram('command'), {
            action: 'data.change',
            subject: 'verify --repair',
            details: { repaired: String(report.repaired), damaged: String(report.damagedCount) },
          })
        for (const what of report.damaged) console.error(`endommagé : ${what}`)
        const more = report.damagedCount - report.damaged.length
        if (more > 0) console.error(`endommagé : ${countFr(more, 'autre')}`)
        console.log(
          `${countFr(report.checked, 'élément vérifié', 'éléments vérifiés')} (${formatNumberFr(report.bytes / 1e6, 1)} Mo), ${countFr(report.sealed, 'somme de contrôle ajoutée', 'sommes de contrôle ajoutées')}, ${countFr(report.repaired, 'refait')}, ${countFr(report.damagedCount, 'endommagé')}`,
        )
        return report.damagedCount > 0 ? EXIT.failed : EXIT.ok
      } finally {
        await store.threads.close()
      }
    })
  },
})
