/**
 * Draws networks at random and tells where ours differ from EPA SWMM's:
 *
 *   node tools/swmm/random.ts [--count 100] [--seed 1]
 */
import { parseArgs } from 'node:util'
import { besideEpa, type Off } from './beside.ts'
import { quantile } from './compare.ts'
import { randomNetwork, seeded } from './random-network.ts'

/** Bound of the p95 of links never full; what is beyond is shown. */
const SHOWN = 0.02

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})

const all: Off[] = []
let unsure = 0
let balance = 0
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.count); seed++) {
  const { inp, kinds } = randomNetwork(seeded(seed))
  const result = await besideEpa(inp, kinds)
  balance = Math.max(balance, result.balance)
  if (result.refused) console.log(`${seed}: ${result.refused}`)
  if (result.unsure) unsure++
  if (result.refused || result.unsure) continue
  all.push(...result.offs)
  const bad = result.offs.filter(({ error }) => error > SHOWN).sort((a, b) => b.error - a.error)
  if (bad.length > 0) console.log(`${seed}: ${bad.length} of ${result.offs.length}`)
  for (const { link, kind, own, quarter, value, error } of bad.slice(0, 3))
    console.log(
      `    ${link} ${(100 * error).toFixed(1)} %: own ${own}, quarter ${quarter}, ours ${value.toFixed(2)}; ${kind}`,
    )
}

function told(offs: Off[]): string {
  const errors = offs.map(({ error }) => 100 * error)
  return `${quantile(errors, 0.5).toFixed(2)} / ${quantile(errors, 0.95).toFixed(2)} % (${offs.length})`
}
console.log(
  `never full ${told(all.filter(({ full }) => !full))}, full ${told(all.filter(({ full }) => full))}, ` +
    `EPA SWMM not sure of ${unsure}, largest balance ${balance.toExponential(1)}`,
)
