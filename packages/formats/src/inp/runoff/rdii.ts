import type { RunoffInfiltrationInflow, RunoffUnitHydrographs } from '@radx/contracts'
import { type InpContext, Named } from '../context.ts'
import type { InpLine } from '../lines.ts'
import { depthUnit } from './climate.ts'
import { landUnit } from './subcatchments.ts'

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC', 'ALL']
const RESPONSES = ['SHORT', 'MEDIUM', 'LONG']

/** [HYDROGRAPHS] and [RDII]. */
export function readRainInflows(context: InpContext, gages: Named<number>) {
  const groups: RunoffUnitHydrographs[] = []
  const index = new Named<number>()
  for (const line of context.lines('HYDROGRAPHS')) {
    const name = line.words[0]
    let at = index.get(name)
    if (at === undefined) {
      at = groups.length
      index.set(name, at)
      groups.push({ name, gage: -1, months: Array.from({ length: 12 }, () => [none(), none(), none()]) })
    }
    if (line.words.length === 2) groups[at].gage = gageOf(context, line, gages)
    else readResponse(context, line, groups[at])
  }
  const inflows: RunoffInfiltrationInflow[] = context.lines('RDII').map((line) => {
    const hydrographs = index.get(context.word(line, 1, 'un groupe'))
    if (hydrographs === undefined)
      throw context.fail(
        line,
        'hydrograph',
        `« ${line.words[0]} » renvoie au groupe « ${line.words[1]} », qui n'existe pas. Ajoutez-le à [HYDROGRAPHS].`,
      )
    return {
      node: context.node(line, 0),
      hydrographs,
      areaM2: context.within(line, 2, 'la surface desservie', 0, 1e9) * landUnit(context),
    }
  })
  return { groups, inflows }
}

const none = () => ({ share: 0, peakS: 0, baseS: 0, abstractionM: 0, recovery: 0, initialM: 0 })

function gageOf(context: InpContext, line: InpLine, gages: Named<number>): number {
  const gage = gages.get(line.words[1])
  if (gage === undefined)
    throw context.fail(
      line,
      'gage',
      `« ${line.words[0]} » renvoie au pluviographe « ${line.words[1]} », qui n'existe pas. Ajoutez-le à [RAINGAGES].`,
    )
  return gage
}

/** Month, response, R, T (h), K and the abstraction; before version 5.0.22 the three responses stood on one line. */
function readResponse(context: InpContext, line: InpLine, group: RunoffUnitHydrographs) {
  const word = context.word(line, 1, 'un mois').toUpperCase()
  const month = MONTHS.findIndex((one) => word.startsWith(one))
  if (month < 0)
    throw context.fail(line, 'keyword', `« ${line.words[1]} » n'est ni un mois (JAN à DEC) ni ALL.`)
  const response = RESPONSES.findIndex((one) => line.words[2]?.toUpperCase().startsWith(one))
  const depth = depthUnit(context)
  const set = (k: number, from: number, abstraction: number) => {
    const hours = context.within(line, from + 1, 'le temps de pointe', 0, 1e6)
    const ratio = context.within(line, from + 2, 'le rapport de décrue', 0, 1e6)
    const made = {
      share: context.within(line, from, 'la part de pluie', 0, 1),
      peakS: Math.floor(hours * 3600),
      baseS: Math.floor(hours * (1 + ratio) * 3600),
      abstractionM: context.within(line, abstraction, 'la perte initiale', 0, 1e6, 0) * depth,
      recovery: (context.within(line, abstraction + 1, 'sa reprise', 0, 1e6, 0) * depth) / 86_400,
      initialM: context.within(line, abstraction + 2, 'sa part prise', 0, 1e6, 0) * depth,
    }
    for (let m = 0; m < 12; m++) if (month === 12 || m === month) group.months[m][k] = made
  }
  if (response >= 0) set(response, 3, 6)
  else for (let k = 0; k < 3; k++) set(k, 2 + 3 * k, 11)
}
