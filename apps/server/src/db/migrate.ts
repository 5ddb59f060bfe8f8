import { RadxError } from '@radx/contracts'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Migration, migrations } from './migrations/index.ts'
import type { Database } from './schema.ts'

/**
 * Brings the schema up to date. Processes that start together wait for each other (advisory lock);
 * all steps run in one transaction, so that a failure or a kill leaves the schema as it was.
 *
 * @returns names of the steps that ran
 * @throws RadxError `database.migration` when a step fails or the database is newer than the program
 */
export async function migrateToLatest(
  db: Kysely<Database>,
  steps: Record<string, Migration> = migrations,
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => steps },
    migrationTableName: 'radx_migration',
    migrationLockTableName: 'radx_migration_lock',
    // Features own number ranges, so a lower number may appear later.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed = results?.find((r) => r.status === 'Error')?.migrationName
    const newer = /previously executed migration (\S+) is missing/.exec(String(error))?.[1]
    throw new RadxError(
      'database.migration',
      503,
      newer
        ? `La base de données vient d'une version plus récente de RadX (étape ${newer}). Mettre le programme à jour.`
        : `La mise à jour de la base de données a échoué${failed ? ` à l'étape ${failed}` : ''} : ${String(error)}`,
      { cause: error, details: { step: failed ?? newer } },
    )
  }
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName)
}
