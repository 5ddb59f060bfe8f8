import { countFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { openRecovery } from '../ingest/recovery.ts'
import { rebuildProfiles } from '../mrr/rebuild.ts'
import { openStore } from '../store/open-store.ts'
import { rebuild } from '../store/rebuild.ts'
import { defineCommand } from './args.ts'
import { EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'rebuild',
  summary: 'refait classes, statistiques, bassins et tuiles depuis les images enregistrées',
  description: [
    'À lancer après un changement de site/catchments.geojson, ou quand le magasin est endommagé :',
    'une image illisible est relue de son fichier archivé. Le serveur peut continuer de tourner ;',
    'le redémarrer ensuite si les bassins ont changé.',
  ].join('\n'),
  run: () =>
    withDatabase(async ({ config, site, catchments, db }) => {
      const store = await openStore({ db, config, site, catchments })
      const recovery = openRecovery({ config, site, store })
      try {
        const report = await rebuild({
          store,
          catchments,
          timeZone: site.timeZone,
          progress: ({ product, day, frames, repaired, lost }) =>
            console.log(
              `${product} ${day} : ${countFr(frames, 'image')}${repaired > 0 ? `, ${countFr(repaired, 'réparée')}` : ''}${lost > 0 ? `, ${countFr(lost, 'perdue')}` : ''}`,
            ),
          recover: recovery.recover,
        })
        console.log(
          `${countFr(report.frames, 'image refaite', 'images refaites')}, ${countFr(report.repaired, 'réparée')}, ${countFr(report.lost, 'perdue')}`,
        )
        const profiles = await rebuildProfiles(store)
        if (profiles.chunks + profiles.lost > 0)
          console.log(
            `micro radar : ${countFr(profiles.chunks, 'bloc de profils relu', 'blocs de profils relus')}, ${countFr(profiles.repaired, 'réparé')}, ${countFr(profiles.lost, 'perdu')}`,
          )
        await record(db, byProgram('command'), {
          action: 'data.change',
          subject: 'rebuild',
          details: {
            frames: String(report.frames),
            repaired: String(report.repaired),
            lost: String(report.lost),
          },
        })
        return report.lost + profiles.lost > 0 ? EXIT.failed : EXIT.ok
      } finally {
        await recovery.close()
        await store.threads.close()
      }
    }),
})
