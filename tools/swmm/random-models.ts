/**
 * Draws whole models at random and tells where ours differ from EPA SWMM's, as `radx sewer` runs them:
 *
 *   node tools/swmm/random-models.ts [--count 100] [--seed 1] [--without TRAIT,TRAIT]
 */
import { parseArgs } from 'node:util'
import { modelBesideEpa } from './model-beside.ts'
import { APART, randomModel } from './random-model.ts'
import { seeded } from './random-network.ts'

/** Beyond this a peak or a volume is shown. */
const SHOWN = 0.02

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    without: { type: 'string', default: '' },
  },
})
const without = new Set(values.without.split(','))
let [ran, refused, unsure, apart, alike] = [0, 0, 0, 0, 0]
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.count); seed++) {
  const { inp, kinds, traits } = randomModel(seeded(seed), without)
  const tell = (text: string) => console.log(`${seed}: ${text} [${traits.join(', ')}]`)
  let result: Awaited<ReturnType<typeof modelBesideEpa>>
  try {
    result = await modelBesideEpa(inp)
  } catch (error) {
    tell(`OURS: ${String(error).slice(0, 300)}`)
    continue
  }
  ran++
  if (result.refused) {
    refused++
    tell(`EPA: ${result.refused}; ours: ${result.ours}`)
    continue
  }
  if (result.balance > 1e-9) tell(`balance ${result.balance.toExponential(1)}`)
  const isApart = traits.some((trait) => APART.has(trait))
  if (result.unsure) unsure++
  if (isApart) apart++
  if (isApart || result.unsure) continue
  const off = result.figures.filter(({ error }) => error > SHOWN).sort((a, b) => b.error - a.error)
  if (off.length === 0) alike++
  else {
    tell(`${off.length} of ${result.figures.length}`)
    for (const { what, own, quarter, value, error } of off.slice(0, 3))
      console.log(
        `    ${what} ${(100 * error).toFixed(1)} %: own ${own}, quarter ${quarter}, ours ${value.toPrecision(4)}; ${kinds[what.split(' ')[1]] ?? ''}`,
      )
  }
}
console.log(`ran ${ran}, EPA SWMM refused ${refused}, not sure of ${unsure}, apart ${apart}, alike ${alike}`)
