import { countFr } from '@radx/locale/format-fr'
import type { FrameKind } from '../ingest/frame-decoder.ts'
import { openDecoders } from '../ingest/kinds.ts'
import { rebuildProfiles } from '../mrr/rebuild.ts'
import { openStore } from '../store/open-store.ts'
import type { PreparedFrame } from '../store/prepared-frame.ts'
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
      const decoders = openDecoders({ config, site, store })
      try {
        const report = await rebuild({
          store,
          catchments,
          timeZone: site.timeZone,
          progress: ({ product, day, frames, repaired, lost }) =>
            console.log(
              `${product} ${day} : ${countFr(frames, 'image')}${repaired > 0 ? `, ${countFr(repaired, 'réparée')}` : ''}${lost > 0 ? `, ${countFr(lost, 'perdue')}` : ''}`,
            ),
          recover: async ({ archivePath, kind, name, product }) => {
            const path = await store.files.original(archivePath)
            if (path === null) return null
            const { result } = await decoders.run<{ result: PreparedFrame }>({
              task: 'frame',
              kind: frameKind(kind, name),
              path,
              name,
              product: kind === 'odim' || /\.(vol|azi)$/i.test(name) ? product : null,
              fallbackProduct: product,
            })
            return result
          },
        })
        console.log(
          `${countFr(report.frames, 'image refaite', 'images refaites')}, ${countFr(report.repaired, 'réparée')}, ${countFr(report.lost, 'perdue')}`,
        )
        const profiles = await rebuildProfiles(store)
        if (profiles.chunks + profiles.lost > 0)
          console.log(
            `micro radar : ${countFr(profiles.chunks, 'bloc de profils relu', 'blocs de profils relus')}, ${countFr(profiles.repaired, 'réparé')}, ${countFr(profiles.lost, 'perdu')}`,
          )
        return report.lost + profiles.lost > 0 ? EXIT.failed : EXIT.ok
      } finally {
        await decoders.close()
        await store.threads.close()
      }
    }),
})

const frameKind = (kind: string, name: string): FrameKind =>
  kind === 'odim' ? 'odim' : /\.(vol|azi)$/i.test(name) ? 'rainbow5-volume' : 'rainbow5-product'
