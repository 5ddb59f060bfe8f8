import { CatchmentLibrary } from '../simulation/library.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'catchment',
  summary: 'bassins versants à simuler : import DOSSIER, list',
  description: [
    'radx catchment import DOSSIER   vérifie un bassin versant et l’ajoute (ou le remplace)',
    'radx catchment list             montre les bassins versants de cette installation',
  ].join('\n'),
  options: {},
  positionals: { label: 'ACTION', help: 'import DOSSIER ou list', min: 1, max: 2 },
  run: async ({ positionals: [action, dir] }) => {
    if (action === 'list' && dir === undefined)
      return withDatabase(({ db, config }) => list(new CatchmentLibrary(db, config)))
    if (action === 'import' && dir !== undefined)
      return withDatabase(async ({ db, config }) => {
        const { package: found, outcome } = await new CatchmentLibrary(db, config).import(dir)
        for (const warning of found.warnings) console.error(`attention : ${warning}`)
        const { id, display } = found.catchment
        console.log(
          outcome === 'known'
            ? `${id} (${display}) : déjà connu, rien n’a changé.`
            : `${id} (${display}) : importé.`,
        )
        return EXIT.ok
      })
    throw new UsageError('attendre « import DOSSIER » ou « list ».')
  },
})

async function list(library: CatchmentLibrary): Promise<number> {
  const all = await library.list()
  if (all.length === 0) console.log('Aucun bassin versant. radx catchment import DOSSIER en ajoute un.')
  for (const { id, display, ncols, nrows, cellSizeM, activeCells, synthetic } of all)
    console.log(
      `${id}\t${display}\t${ncols} × ${nrows} cellules de ${cellSizeM} m, ${activeCells} actives${synthetic ? '\tsynthétique' : ''}`,
    )
  return EXIT.ok
}
