import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { type Hindcast, hindcast } from '../ahead/hindcast.ts'
import { poolScores } from '../ahead/results.ts'
import { SCORED_MIN } from '../ahead/score.ts'
import { openStore } from '../store/open-store.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { givenInstant } from './given-instant.ts'
import { table } from './table.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'floods',
  summary: 'prévoit à nouveau les inondations d’une période de l’archive et note ces prévisions',
  description: [
    'Suit l’état d’un bassin avec la pluie observée, prévoit depuis ses images comme en direct, et tient chaque prévision contre',
    'l’état que la pluie observée a donné ensuite. Les notes rejoignent celles de l’écran Prévision. Les heures sont en UTC.',
    'Compter une demi-minute de processeur par prévision d’un orage, une seconde par heure sans pluie.',
  ].join('\n'),
  options: {
    catchment: { type: 'string', value: 'BASSIN', help: 'bassin (celui du site par défaut)' },
    from: { type: 'string', value: 'INSTANT', help: 'début de la période (obligatoire)' },
    to: { type: 'string', value: 'INSTANT', help: 'fin de la période (obligatoire)' },
    every: { type: 'string', value: 'MIN', help: 'minutes d’une prévision à la suivante (15)' },
    members: { type: 'string', value: 'N', help: 'membres de chaque prévision (20)' },
    longest: {
      type: 'string',
      value: 'MIN',
      help: `plus longue échéance notée : ${SCORED_MIN.join(', ')} (30)`,
    },
    list: { type: 'boolean', help: 'dit aussi chaque prévision' },
  },
  async run({ values }) {
    const [startMs, endMs] = [givenInstant('from', values.from), givenInstant('to', values.to)]
    if (!(endMs > startMs)) throw new UsageError('--to vient après --from.')
    const longestMin = whole('longest', values.longest ?? '30', 1, 60)
    if (!(SCORED_MIN as readonly number[]).includes(longestMin))
      throw new UsageError(`--longest : ${SCORED_MIN.join(', ')} sont notées.`)
    const everyMin = whole('every', values.every ?? '15', 1, 1_440)
    const members = whole('members', values.members ?? '20', 2, 100)
    const stop = new AbortController()
    const onSignal = () => stop.abort()
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
    return withDatabase(async ({ db, config, site, catchments }) => {
      const store = await openStore({ db, config, site, catchments })
      const made: Hindcast[] = []
      const tell = (one: Hindcast) => {
        made.push(one)
        if (values.list) console.log(lineOf(one))
      }
      try {
        const catchmentId = values.catchment ?? site.defaultCatchment ?? ''
        const input = { catchmentId, startMs, endMs, everyMin, members, longestMin }
        const frames = await hindcast({ db, config, site, store }, input, tell, stop.signal)
        console.log(summaryOf(frames, made))
        return EXIT.ok
      } catch (error) {
        if (!stop.signal.aborted) throw error
        console.log(summaryOf(0, made))
        return EXIT.interrupted
      } finally {
        await store.threads.close()
      }
    })
  },
})

function summaryOf(frames: number, made: readonly Hindcast[]): string {
  const lines = [
    `${countFr(frames, 'image')}, ${countFr(made.length, 'prévision notée', 'prévisions notées')}`,
  ]
  for (const leadMin of SCORED_MIN) {
    const own = made.filter((one) => one.leadMin === leadMin)
    if (own.length === 0) continue
    const { brierSkill, reliability } = poolScores(own.map(({ sums }) => sums))
    const skill = brierSkill === null ? 'inconnu' : formatNumberFr(brierSkill, 2)
    lines.push('', `à ${leadMin} min : ${own.length} prévisions, gain de Brier sur l’état du départ ${skill}`)
    lines.push(
      table(
        ['annoncé', 'observé', 'mailles'],
        reliability.map(({ forecast, observed, count }) => [
          formatNumberFr(forecast, 3),
          formatNumberFr(observed, 3),
          String(count),
        ]),
      ),
    )
  }
  return lines.join('\n')
}

function lineOf({ issued, leadMin, rainMm, cells, sums }: Hindcast): string {
  const mm = (value: number) => formatNumberFr(value, 1)
  const [, forecast, persistence] = sums
  const rain = `pluie ${mm(rainMm.came)} mm (prévu ${mm(rainMm.p10)} à ${mm(rainMm.p90)}, médiane ${mm(rainMm.p50)})`
  const wet = `mailles ${cells.before} au départ, ${cells.came} ensuite, ${mm(cells.expected)} annoncées`
  return `${issued} + ${leadMin} min : ${rain} ; ${wet} ; Brier ${mm(forecast)} contre ${persistence}`
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most || text.trim() === '')
    throw new UsageError(`--${option} vaut « ${text} » : donnez un entier de ${least} à ${most}.`)
  return value
}
