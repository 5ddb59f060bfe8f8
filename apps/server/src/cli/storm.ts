import {
  type BlockRain,
  chicago,
  doubleTriangle,
  doubleTriangleBlocks,
  StormError,
  uniformStorm,
} from '@radx/rainfall/storms/design-storms'
import type { MontanaCoefficients } from '@radx/rainfall/storms/montana'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { csvOut } from './csv-out.ts'
import { durationOf, lawOf, shareOf } from './storm-options.ts'

const MONTANA = {
  type: 'string',
  value: 'A,B|TABLE.csv',
  help: 'coefficients (i = a t^-b en mm/min, t en min), ou un tableau avec --period',
} as const
const PERIOD = { type: 'string', value: 'ANS', help: 'période de retour prise dans le tableau' } as const
const UNITS = {
  type: 'string',
  value: 'UNITÉS',
  help: 'des coefficients : mm-min (par défaut), mmh-min ou mmh-h (i puis t)',
} as const
const VALID = {
  type: 'string',
  value: 'DE-À',
  help: 'durées du tableau en minutes, s’il ne les donne pas',
} as const
const LAW = { montana: MONTANA, period: PERIOD, units: UNITS, valid: VALID } as const
const STEP = { type: 'string', value: 'MIN', help: 'pas de temps de la série' } as const
const OUTPUT =
  'Écrit « minute,mm_h » : intensité moyenne de chaque pas, minute étant le début du pas. Le volume est exact.'

const chicagoCommand = defineCommand({
  name: 'storm chicago',
  summary: 'pluie de Chicago (Keifer et Chu, 1957)',
  description: OUTPUT,
  options: {
    ...LAW,
    duration: { type: 'string', value: 'MIN', help: 'durée de la pluie (obligatoire)' },
    step: { ...STEP, help: 'pas de temps de la série (5 par défaut)' },
    peak: { type: 'string', value: 'PART', help: 'place de la pointe, de 0 à 1 (0,4 par défaut)' },
  },
  run: async ({ values }) => {
    const durationMin = durationOf('--duration', values.duration)
    const law = await lawOf(values, '--montana', durationMin)
    const stepMin = durationOf('--step', values.step ?? '5')
    const peak = shareOf('--peak', values.peak ?? '0.4')
    const exit = print(() => chicago(law, { durationMin, stepMin, peak }))
    if (law.fromMin !== undefined && law.toMin !== undefined && stepMin < law.fromMin)
      console.error(
        `attention : la pointe prolonge la loi de ${law.fromMin} à ${law.toMin} min jusqu’à ${round(stepMin)} min, hors de sa plage.`,
      )
    return exit
  },
})

const doubleTriangleCommand = defineCommand({
  name: 'storm double-triangle',
  summary: 'double triangle de Desbordes',
  description: OUTPUT,
  options: {
    ...LAW,
    'montana-total': {
      type: 'string',
      value: 'A,B|TABLE.csv',
      help: 'coefficients de la pluie entière, si sa période de retour est autre que celle de la période intense',
    },
    'period-total': { type: 'string', value: 'ANS', help: 'période de retour de la pluie entière' },
    total: { type: 'string', value: 'MIN', help: 'durée totale (obligatoire)' },
    intense: { type: 'string', value: 'MIN', help: 'durée de la période intense (obligatoire)' },
    step: { ...STEP, help: 'pas de temps de la série (1 par défaut)' },
    peak: { type: 'string', value: 'PART', help: 'place de la pointe dans la durée totale (0,5 par défaut)' },
  },
  run: async ({ values }) => {
    const totalMin = durationOf('--total', values.total)
    const intenseMin = durationOf('--intense', values.intense)
    const intense: MontanaCoefficients = await lawOf(values, '--montana', intenseMin)
    const own = values['montana-total'] !== undefined || values['period-total'] !== undefined
    const total = await lawOf(
      {
        units: values.units,
        valid: values.valid,
        montana: values['montana-total'] ?? values.montana,
        period: values['period-total'] ?? (own && values['montana-total'] ? undefined : values.period),
      },
      own ? '--montana-total' : '--montana',
      totalMin,
    )
    return print(() =>
      doubleTriangleBlocks(
        doubleTriangle(
          { total, intense },
          { totalMin, intenseMin, peak: shareOf('--peak', values.peak ?? '0.5') },
        ),
        durationOf('--step', values.step ?? '1'),
      ),
    )
  },
})

const uniformCommand = defineCommand({
  name: 'storm uniform',
  summary: 'pluie d’intensité constante',
  description: OUTPUT,
  options: {
    ...LAW,
    duration: { type: 'string', value: 'MIN', help: 'durée de la pluie (obligatoire)' },
    step: { ...STEP, help: 'pas de temps de la série (5 par défaut)' },
  },
  run: async ({ values }) => {
    const durationMin = durationOf('--duration', values.duration)
    const law = await lawOf(values, '--montana', durationMin)
    return print(() => uniformStorm(law, { durationMin, stepMin: durationOf('--step', values.step ?? '5') }))
  },
})

export const command = commandGroup('storm', 'écrit une pluie de projet en CSV', {
  chicago: chicagoCommand,
  'double-triangle': doubleTriangleCommand,
  uniform: uniformCommand,
})

const round = (value: number) => String(Number(value.toFixed(6)))

function print(storm: () => BlockRain): number {
  try {
    const { stepMin, ratesMmH } = storm()
    const rows = ratesMmH.map((rate, k) => `${round(k * stepMin)},${round(rate)}\n`)
    console.log(csvOut(`minute,mm_h\n${rows.join('')}`).trimEnd())
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof StormError)) throw error
    const option = OPTION_OF[error.field]
    throw new UsageError(`--${option ?? error.field} : ${error.message}`)
  }
}

/** Options that carry another name than the value they hold. */
const OPTION_OF: Record<string, string> = { a: 'montana', b: 'montana' }
