import { resolve } from 'node:path'
import { defineCommand } from './args.ts'
import { type Command, EXIT, UsageError } from './command.ts'
import { runBatch } from './sewer/batch.ts'
import { createProgressLine } from './sewer/progress.ts'
import { endedEarly, runSewer } from './sewer-run.ts'

const DESCRIPTION = [
  'Lit le fichier entier, calcule pluie, ruissellement et écoulement sur sa période et écrit dans le dossier de',
  'sortie links.csv, nodes.csv (unités du fichier), balance.json, run.json, NOM.rpt (mise en page d’EPA SWMM), avec',
  'des bassins versants subcatchments.csv et lids.csv, et, pour les noms demandés, series.csv.',
  'Ctrl-C arrête le calcul et écrit ce qu’il a (code de sortie 130). Ni base de données ni serveur ne sont',
  'nécessaires. Le format des fichiers de --batch est dans docs/formats.md.',
].join('\n')

const build = (series: string[], batch: string[]) =>
  defineCommand({
    name: 'sewer',
    summary: 'calcule un modèle SWMM (.inp) : pluie, ruissellement, réseau',
    description: DESCRIPTION,
    options: {
      out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
      series: { type: 'string', value: 'NOM...', help: 'nœuds, liens et bassins dont écrire les séries' },
      step: {
        type: 'string',
        value: 'SECONDES',
        help: 'schéma implicite, avec ce pas le plus long',
      },
      fine: { type: 'boolean', help: 'schéma implicite, pas d’une seconde au lieu de cinq' },
      implicit: { type: 'boolean', help: 'schéma implicite au lieu de celui d’EPA SWMM' },
      'one-method': {
        type: 'boolean',
        help: 'sans le second calcul, avec l’autre SURCHARGE_METHOD, quand des conduites sont en charge',
      },
      'quarter-step': {
        type: 'boolean',
        help: 'un calcul de plus, au quart du pas : dit de combien les résultats en dépendent',
      },
      'hydraulics-only': { type: 'boolean', help: 'le réseau seul, sans pluie ni ruissellement' },
      compare: { type: 'string', value: 'FICHIER', help: 'compare à un résultat d’EPA SWMM (.rpt ou .out)' },
      batch: {
        type: 'string',
        value: 'CSV...',
        help: 'un calcul par fichier de pluie ou d’apports, en parallèle',
      },
    },
    positionals: { label: 'MODÈLE.inp', help: 'fichier SWMM 5', min: 1, max: 1 },
    async run({ values, positionals }) {
      if (!values.out) throw new UsageError('il manque --out DOSSIER. radx sewer --help donne le détail.')
      const step = values.step === undefined ? undefined : Number(values.step)
      if (step !== undefined && !(step >= 0.01 && step <= 60))
        throw new UsageError(`--step vaut « ${values.step} » : donnez des secondes, de 0,01 à 60.`)
      const abort = new AbortController()
      const onSignal = () => abort.abort()
      process.once('SIGINT', onSignal)
      process.once('SIGTERM', onSignal)
      const shared = {
        network: resolve(positionals[0]),
        out: resolve(values.out),
        series,
        maxStepS: step,
        fine: values.fine,
        implicit: values.implicit,
        hydraulicsOnly: values['hydraulics-only'],
        signal: abort.signal,
        onWarning: (text: string) => console.error(`Attention : ${text}`),
      }
      try {
        if (batch.length > 0) {
          const { text, failed } = await runBatch({ ...shared, files: batch })
          console.log(text)
          if (abort.signal.aborted) return EXIT.interrupted
          return failed > 0 ? EXIT.failed : EXIT.ok
        }
        const done = await runSewer({
          ...shared,
          compare: values.compare,
          oneMethod: values['one-method'],
          quarterStep: values['quarter-step'],
          onProgress: createProgressLine(process.stderr),
        })
        if (done.comparison) console.log(done.comparison)
        if (done.stopped) console.error(endedEarly(done.stopped))
        console.log(done.summary)
        if (!done.stopped) return EXIT.ok
        return done.stopped.reason === 'interrupted' ? EXIT.interrupted : EXIT.failed
      } finally {
        process.off('SIGINT', onSignal)
        process.off('SIGTERM', onSignal)
      }
    },
  })

export const command: Command = {
  summary: build([], []).summary,
  run(args) {
    const { taken, rest } = takeLists(args, ['--series', '--batch'])
    return build(taken['--series'], taken['--batch']).run(rest)
  },
}

/** Options that take every word up to the next option; they may come again. */
function takeLists(args: string[], names: string[]): { taken: Record<string, string[]>; rest: string[] } {
  const taken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  const rest: string[] = []
  let into: string[] = rest
  for (const word of args) {
    const [name, value] = word.split(/=(.*)/s)
    if (names.includes(name)) {
      into = value === undefined ? taken[name] : rest
      if (value !== undefined) taken[name].push(value)
    } else {
      if (word.startsWith('-')) into = rest
      // The model may come last.
      if (/\.inp$/i.test(word)) rest.push(word)
      else into.push(word)
    }
  }
  return { taken, rest }
}
