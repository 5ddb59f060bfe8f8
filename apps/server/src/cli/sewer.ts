import { resolve } from 'node:path'
import { defineCommand } from './args.ts'
import { type Command, EXIT, UsageError } from './command.ts'
import { runSewer } from './sewer-run.ts'

const build = (series: string[]) =>
  defineCommand({
    name: 'sewer',
    summary: 'calcule un réseau SWMM (.inp)',
    description: [
      'Lit le réseau, calcule son écoulement sur la période du fichier et écrit dans le dossier de sortie links.csv,',
      'nodes.csv (unités du fichier), balance.json, run.json et, pour les noms demandés, series.csv.',
      'Ni base de données ni serveur ne sont nécessaires.',
    ].join('\n'),
    options: {
      out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
      series: { type: 'string', value: 'NOM...', help: 'nœuds et liens dont écrire les séries' },
      step: {
        type: 'string',
        value: 'SECONDES',
        help: 'pas de calcul le plus long (1 avec --fine, 4 sinon)',
      },
      fine: {
        type: 'boolean',
        help: 'au plus près d’EPA SWMM, d’office quand dix secondes suffisent ; dix fois plus long',
      },
    },
    positionals: { label: 'RÉSEAU.inp', help: 'fichier SWMM 5', min: 1, max: 1 },
    async run({ values, positionals }) {
      if (!values.out) throw new UsageError('il manque --out DOSSIER. radx sewer --help donne le détail.')
      const step = values.step === undefined ? undefined : Number(values.step)
      if (step !== undefined && !(step >= 0.01 && step <= 60))
        throw new UsageError(`--step vaut « ${values.step} » : donnez des secondes, de 0,01 à 60.`)
      const abort = new AbortController()
      const onSignal = () => abort.abort()
      process.once('SIGINT', onSignal)
      process.once('SIGTERM', onSignal)
      try {
        const done = await runSewer({
          network: resolve(positionals[0]),
          out: resolve(values.out),
          series,
          maxStepS: step,
          fine: values.fine,
          signal: abort.signal,
          onProgress: process.stderr.isTTY ? showProgress : undefined,
          onWarning: (text) => console.error(`Attention : ${text}`),
        })
        if (!done) {
          console.error('Interrompu : rien n’a été écrit.')
          return EXIT.interrupted
        }
        console.log(done.summary)
        return EXIT.ok
      } finally {
        process.off('SIGINT', onSignal)
        process.off('SIGTERM', onSignal)
      }
    },
  })

export const command: Command = {
  summary: build([]).summary,
  run(args) {
    const { series, rest } = takeSeries(args)
    return build(series).run(rest)
  },
}

/** `--series` takes every name up to the next option; it may come again. */
function takeSeries(args: string[]): { series: string[]; rest: string[] } {
  const series: string[] = []
  const rest: string[] = []
  let taking = false
  for (const word of args) {
    if (word === '--series') taking = true
    else if (word.startsWith('--series=')) series.push(word.slice('--series='.length))
    else if (word.startsWith('-')) {
      taking = false
      rest.push(word)
    } else (taking ? series : rest).push(word)
  }
  return { series, rest }
}

function showProgress(share: number, timeS: number) {
  const hours = (timeS / 3600).toLocaleString('fr-FR', { maximumFractionDigits: 1 })
  process.stderr.write(`\r${Math.floor(share * 100)} % (${hours} h)${share >= 1 ? '\n' : ''}`)
}
