import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { countFr } from '@radx/locale/format-fr'
import { byProgram, record } from '../audit/api.ts'
import { buildCatchment, readRecipe } from '../builder/api.ts'
import { CatchmentLibrary } from '../simulation/catchment/library.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
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

const build = defineCommand({
  name: 'catchment build',
  summary: 'construit un bassin versant à partir de ses sources (terrain, sols, réseau)',
  description: [
    'La recette est un fichier JSON ; ses chemins partent de son dossier (docs/formats.md, « Recipe of a catchment »).',
    'Le dossier est écrit d’un bloc à la fin, avec report.md et report.json ; Ctrl-C ne laisse rien derrière lui.',
  ].join('\n'),
  options: {
    out: { type: 'string', value: 'DOSSIER', help: 'dossier du bassin versant, à créer' },
    replace: { type: 'boolean', help: 'remplace un bassin versant qui s’y trouve' },
    check: { type: 'boolean', help: 'dit seulement ce qui ne va pas, n’écrit rien' },
  },
  positionals: { label: 'RECETTE.json', help: 'recette du bassin versant', min: 1, max: 1 },
  run: async ({ values, positionals: [path] }) => {
    if ((values.out === undefined) === (values.check !== true))
      throw new UsageError('donnez --out DOSSIER pour construire, ou --check pour vérifier seulement.')
    const recipe = await readRecipe(path)
    let aside: string | null = null
    const leave = () => {
      if (aside !== null) rmSync(aside, { recursive: true, force: true })
      process.exit(EXIT.interrupted)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
    try {
      const report = await buildCatchment(recipe, {
        folder: dirname(path),
        out: values.check === true ? null : values.out!,
        replace: values.replace,
        progress: (text) => console.error(text),
        aside: (dir) => {
          aside = dir
        },
      })
      for (const warning of report.warnings) console.error(`attention : ${warning}`)
      const told = countFr(report.findings.length + report.warnings.length, 'constat')
      console.log(
        values.check === true
          ? `${recipe.id} (${recipe.display}) : la recette convient, ${told}.`
          : `${recipe.id} (${recipe.display}) : construit dans ${values.out}, ${told} dans report.md.`,
      )
      return EXIT.ok
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave)
    }
  },
})

export const command = commandGroup('catchment', 'gère les bassins versants à simuler', {
  build,
  import: importFolder,
  list,
})
