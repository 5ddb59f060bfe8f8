import { byProgram, record } from '../audit/api.ts'
import { CatchmentLibrary } from '../simulation/catchment/library.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT } from './command.ts'
import { withDatabase } from './with-database.ts'

const importFolder = defineCommand({
  name: 'catchment import',
  summary: 'vérifie un bassin versant et l’ajoute (ou le remplace)',
  positionals: { label: 'DOSSIER', help: 'dossier du bassin versant (catchment.json)', min: 1, max: 1 },
  run: ({ positionals: [dir] }) =>
    withDatabase(async ({ db, config }) => {
      const { package: found, outcome } = await new CatchmentLibrary(db, config).import(dir)
      for (const warning of found.warnings) console.error(`attention : ${warning}`)
      const { id, display } = found.catchment
      if (outcome !== 'known')
        await record(db, byProgram('command'), {
          action: 'data.change',
          subject: 'catchment import',
          details: { catchment: id },
        })
      console.log(
        outcome === 'known'
          ? `${id} (${display}) : déjà connu, rien n’a changé.`
          : `${id} (${display}) : importé.`,
      )
      return EXIT.ok
    }),
})

const list = defineCommand({
  name: 'catchment list',
  summary: 'montre les bassins versants de cette installation',
  run: () =>
    withDatabase(async ({ db, config }) => {
      const all = await new CatchmentLibrary(db, config).list()
      if (all.length === 0) console.log('Aucun bassin versant. radx catchment import DOSSIER en ajoute un.')
      for (const { id, display, ncols, nrows, cellSizeM, activeCells, synthetic } of all)
        console.log(
          `${id}\t${display}\t${ncols} × ${nrows} cellules de ${cellSizeM} m, ${activeCells} actives${synthetic ? '\tsynthétique' : ''}`,
        )
      return EXIT.ok
    }),
})

export const command = commandGroup('catchment', 'gère les bassins versants à simuler', {
  import: importFolder,
  list,
})
