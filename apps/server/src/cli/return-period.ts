import { basename } from 'node:path'
import { csvText } from '@radx/locale/csv'
import { DURATIONS_MIN, isAtLeast, largestDepths } from '@radx/rainfall/storms/depth-duration'
import { returnPeriod, returnPeriodFr } from '@radx/rainfall/storms/montana'
import { UNITS_FR } from '@radx/rainfall/storms/montana-units'
import { type RainUnit, readRainText } from '@radx/rainfall/storms/rain-text'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { csvOut } from './csv-out.ts'
import { durationOf, tableOf, textOf } from './storm-options.ts'

export const command = defineCommand({
  name: 'return-period',
  summary: 'périodes de retour des plus grandes hauteurs d’une série de pluie',
  description: [
    'Écrit « duration_min,depth_mm,period_years,period » : pour chaque durée la plus grande hauteur tombée, sa période',
    'de retour interpolée en ln T, et ce qu’on en dit. Rien n’est prolongé au-delà du tableau : period_years est alors vide.',
    'Tableau : période ; a ; b ; durée min ; durée max (min). Série : temps ; mm/h ou mm, les pas pouvant être inégaux.',
  ].join('\n'),
  options: {
    montana: { type: 'string', value: 'TABLE.csv', help: 'tableau de coefficients de Montana (obligatoire)' },
    units: {
      type: 'string',
      value: 'UNITÉS',
      help: 'du tableau : mm-min (par défaut), mmh-min ou mmh-h (i puis t)',
    },
    valid: { type: 'string', value: 'DE-À', help: 'durées du tableau en minutes, s’il ne les donne pas' },
    unit: { type: 'string', value: 'UNITÉ', help: 'de la série, si son en-tête ne la dit pas : mm/h ou mm' },
    durations: { type: 'string', value: 'LISTE', help: 'durées voulues en minutes, 6,15,30… par défaut' },
  },
  positionals: { label: 'SÉRIE.csv', help: 'série de pluie', min: 1, max: 1 },
  async run({ values, positionals: [path] }) {
    if (values.montana === undefined) throw new UsageError('il manque --montana TABLE.csv.')
    if (values.unit !== undefined && values.unit !== 'mm' && values.unit !== 'mm/h')
      throw new UsageError(`--unit vaut « ${values.unit} » : mm/h ou mm.`)
    const durations =
      values.durations === undefined
        ? DURATIONS_MIN
        : values.durations.split(/[,;]/).map((text) => durationOf('--durations', text))
    const { laws, units, remarksFr } = await tableOf(values.montana, values)
    const rain = readRainText(await textOf(path), basename(path), {
      ...(values.unit !== undefined && { unit: values.unit as RainUnit }),
    })
    const say = (text: string) => console.error(`attention : ${text}`)
    console.error(`tableau : ${UNITS_FR[units]}`)
    for (const remark of [...remarksFr, ...rain.remarksFr]) say(remark)

    const { edgesMin, ratesMmH } = rain
    const steps = Array.from(ratesMmH, (_, k) => edgesMin[k + 1] - edgesMin[k])
    const shortest = steps.reduce((least, step) => Math.min(least, step))
    // Within one step nothing is known: a shorter duration would only be its share of a mean.
    const fine = durations.filter((minutes) => minutes >= shortest - 1e-6)
    if (fine.length < durations.length)
      say(`le pas de la série est de ${number(shortest)} min : pas de durée plus courte.`)
    const depths = largestDepths(rain, fine)
    if (depths.length < fine.length)
      say(`la série dure ${number(edgesMin[edgesMin.length - 1])} min : pas de durée plus longue.`)
    const missing = steps.reduce((sum, step, k) => sum + (Number.isNaN(ratesMmH[k]) ? step : 0), 0)
    if (missing > 0)
      say(
        `${number(missing)} min sans valeur, qui ne comptent pas pour zéro : les hauteurs sont des minimums.`,
      )
    const text = csvText([
      ['duration_min', 'depth_mm', 'period_years', 'period'],
      ...depths.map(({ durationMin, depthMm, missingMin }) => {
        const period = returnPeriod(laws, durationMin, depthMm)
        const years = period.kind === 'between' ? String(Number(period.years.toPrecision(6))) : ''
        const mm = Number.isNaN(depthMm) ? '' : Number(depthMm.toFixed(4))
        return [durationMin, mm, years, returnPeriodFr(period, isAtLeast({ missingMin }))]
      }),
    ])
    console.log(csvOut(text).trimEnd())
    return EXIT.ok
  },
})

const number = (value: number) => String(Math.round(value * 100) / 100).replace('.', ',')
