import { resolve } from 'node:path'
import { countFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { changed } from '../backup/checksums.ts'
import { createBackup } from '../backup/create.ts'
import { readManifest } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore.ts'
import { jobKinds } from '../job-kinds.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

const SHOWN = 20

/** Needs neither database nor settings: a backup can be checked where it lies. */
async function check(dir: string): Promise<number> {
  const manifest = await readManifest(dir)
  if (manifest.sha256 === undefined) {
    console.error('cette sauvegarde date d’avant les sommes de contrôle : refaites-la pour qu’elle en ait')
    return EXIT.failed
  }
  const wrong = await changed(dir, manifest)
  for (const line of wrong.slice(0, SHOWN)) console.error(`endommagé : ${line}`)
  if (wrong.length > SHOWN) console.error(`endommagé : ${countFr(wrong.length - SHOWN, 'autre')}`)
  console.log(
    `${countFr(Object.keys(manifest.sha256).length, 'fichier comparé', 'fichiers comparés')}, ${countFr(wrong.length, 'endommagé ou manquant', 'endommagés ou manquants')}`,
  )
  return wrong.length > 0 ? EXIT.failed : EXIT.ok
}

export const command = defineCommand({
  name: 'backup',
  summary: 'sauvegarde la base et les fichiers dans un dossier, ou les restaure',
  description: [
    'Le serveur peut continuer de tourner pendant la sauvegarde : elle est prise en un seul instant.',
    'Un dossier qui contient déjà une sauvegarde ne reçoit que ce qui est nouveau.',
    'La restauration demande une installation vide (DATA_DIR ou DATABASE_URL) et aucun serveur ;',
    'interrompue, elle se relance. Les sessions ouvertes ne sont pas sauvegardées.',
    'Le code de retour est 1 dès qu’un fichier manque.',
  ].join('\n'),
  options: {
    check: { type: 'boolean', help: 'compare la sauvegarde à ses sommes de contrôle, sans rien d’autre' },
    restore: { type: 'boolean', help: 'restaure la sauvegarde du dossier' },
    'database-only': { type: 'boolean', help: 'ne sauvegarde que la base, sans les fichiers' },
  },
  positionals: { label: 'DOSSIER', help: 'dossier de la sauvegarde', min: 1, max: 1 },
  run: ({ values, positionals }) => {
    const dir = resolve(positionals[0])
    if (values.restore && values['database-only'])
      throw new UsageError(
        '--restore et --database-only ne vont pas ensemble : ce que contient la sauvegarde est restauré.',
      )
    if (values.check && (values.restore || values['database-only'])) throw new UsageError('--check va seul.')
    if (values.check) return check(dir)
    const progress = (line: string) => console.log(line)
    return withDatabase(async ({ config, site, database, log }) => {
      const { manifest, missing } = values.restore
        ? await restoreBackup({ database, config, dir, kinds: jobKinds, log, progress })
        : await createBackup({
            database,
            config,
            site: site.id,
            dir,
            files: !values['database-only'],
            now: new Date(),
            progress,
          })
      if (values.restore)
        await record(database.db, byProgram('command'), {
          action: 'setting.change',
          subject: 'restore',
          details: { backup: manifest.createdAt },
        })
      for (const line of missing.slice(0, SHOWN)) console.error(`manque : ${line}`)
      if (missing.length > SHOWN) console.error(`manque : ${countFr(missing.length - SHOWN, 'autre')}`)
      console.log(
        values.restore
          ? `sauvegarde du ${manifest.createdAt} restaurée depuis ${dir}`
          : `sauvegarde achevée dans ${dir}`,
      )
      return missing.length > 0 ? EXIT.failed : EXIT.ok
    })
  },
})
