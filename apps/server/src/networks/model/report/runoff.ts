import type { InpResult } from '@radx/formats/inp/read'
import { createInflows } from '@radx/hydrology/sewer/network/inflows'
import type { Simulated } from '../simulate.ts'
import { fixed, heading, type ReportUnits, table, text } from './text.ts'

const INFILTRATION: Record<string, string> = {
  horton: 'HORTON',
  'modified-horton': 'MODIFIED_HORTON',
  'green-ampt': 'GREEN_AMPT',
  'modified-green-ampt': 'MODIFIED_GREEN_AMPT',
  'curve-number': 'CURVE_NUMBER',
}

const day = (epochS: number) => new Date(epochS * 1000).toISOString()
const date = (epochS: number) => {
  const iso = day(epochS)
  return `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`
}
const clock = (seconds: number) => day(seconds).slice(11, 19)
const yes = (is: boolean) => (is ? 'YES' : 'NO')

export function analysisOptions({ network, runoff }: InpResult, run: Simulated): string[] {
  const { options, links } = network
  const lines = [
    `Flow Units ............... ${options.flowUnits}`,
    'Process Models:',
    `  Rainfall/Runoff ........ ${yes((runoff?.subcatchments.length ?? 0) > 0)}`,
    `  RDII ................... ${yes((runoff?.infiltrationInflows.length ?? 0) > 0)}`,
    '  Snowmelt ............... NO',
    '  Groundwater ............ NO',
    `  Flow Routing ........... ${yes(links.length > 0)}`,
    ...(links.length > 0 ? [`  Ponding Allowed ........ ${yes(options.allowPonding)}`] : []),
    '  Water Quality .......... NO',
  ]
  const [first] = runoff?.subcatchments ?? []
  if (first) lines.push(`Infiltration Method ...... ${INFILTRATION[first.infiltration.type]}`)
  if (links.length > 0)
    lines.push('Flow Routing Method ...... DYNWAVE', `Surcharge Method ......... ${options.surchargeMethod}`)
  lines.push(
    `Starting Date ............ ${date(options.startEpochS)}`,
    `Ending Date .............. ${date(options.startEpochS + run.sewer.timeS)}`,
    `Antecedent Dry Days ...... ${(runoff?.dryDays ?? 0).toFixed(1)}`,
    `Report Time Step ......... ${clock(options.reportStepS)}`,
  )
  if (runoff)
    lines.push(
      `Wet Time Step ............ ${clock(runoff.wetStepS)}`,
      `Dry Time Step ............ ${clock(runoff.dryStepS)}`,
    )
  if (links.length > 0)
    lines.push(
      `Routing Time Step ........ ${run.sewer.longestStepS.toFixed(2)} sec`,
      'Variable Time Step ....... YES',
    )
  return [...heading('Analysis Options'), ...lines, '']
}

/** One line of a balance: dots to 26, then two figures of 14. */
const entry = (name: string, a: number, b: number, width = 26) =>
  `${`${name} `.padEnd(width, '.')}${fixed(a, 14, 3)}${fixed(b, 14, 3)}`

const stars = '**************************'

export function runoffContinuity({ runoff }: Simulated, u: ReportUnits): string[] {
  if (!runoff || runoff.subcatchments.length === 0) return []
  // Runoff as EPA SWMM sums it, by the rate at each step's end. The exact balance stands in balance.json.
  const { rain, evaporation, infiltration, rated, drains, initial, stored } = runoff.totals()
  const area = Math.max(
    1e-9,
    runoff.subcatchments.reduce((sum, { input }) => sum + input.areaM2, 0),
  )
  const error = rain + initial - evaporation - infiltration - rated - drains - stored
  const line = (name: string, volume: number) => entry(name, u.large(volume), u.rain(volume / area))
  return [
    '',
    `${stars}        Volume         Depth`,
    `Runoff Quantity Continuity     ${u.largeName}        ${u.us ? 'inches' : '    mm'}`,
    `${stars}     ---------       -------`,
    ...(initial > 0 ? [line('Initial LID Storage', initial)] : []),
    line('Total Precipitation', rain),
    line('Evaporation Loss', evaporation),
    line('Infiltration Loss', infiltration),
    line('Surface Runoff', rated),
    ...(drains > 0 ? [line('LID Drainage', drains)] : []),
    line('Final Storage', stored),
    `Continuity Error (%) .....${fixed((100 * error) / Math.max(1e-9, rain + initial), 14, 3)}`,
    '',
  ]
}

export function rainInflow({ runoff }: Simulated, u: ReportUnits): string[] {
  if (!runoff || runoff.rainInflow.flows.length === 0) return []
  const { rain, inflow } = runoff.rainInflow.totals
  const line = (name: string, volume: number) => entry(name, u.large(volume), u.bulk(volume), 25)
  return [
    '',
    '**********************           Volume        Volume',
    `Rainfall Dependent I/I        ${u.largeName}      ${u.bulkName}`,
    '**********************        ---------     ---------',
    line('Sewershed Rainfall', rain),
    line('RDII Produced', inflow),
    `RDII Ratio ..............${fixed(rain > 0 ? inflow / rain : 0, 14, 3)}`,
    '',
  ]
}

/** Volume of the inflows of [DWF] until now, m3. */
function dryWeather({ network, timeS }: Simulated['sewer']): number {
  const nodes = network.nodes.map((node) => ({
    ...node,
    inflows: node.inflows.filter(({ series, scale }) => series === null && scale === 0),
  }))
  const volumes = new Float64Array(nodes.length)
  createInflows({ ...network, nodes }).addTo(volumes, 0, timeS)
  return volumes.reduce((sum, volume) => sum + volume, 0)
}

export function routingContinuity({ sewer, runoff, inlets }: Simulated, u: ReportUnits): string[] {
  const {
    initial,
    stored,
    inflow,
    outfall,
    backflow = 0,
    flooded,
    loss,
    evaporation = 0,
    error,
  } = sewer.totals()
  const { runoff: surface, drains, held } = runoff?.totals() ?? { runoff: 0, drains: 0, held: 0 }
  const rdii = runoff?.rainInflow.totals.inflow ?? 0
  // What sewers spill through inlets stays in the model.
  const returned = inlets?.returnedM3() ?? 0
  // As EPA SWMM counts: what is there is what the heads stand for.
  const drift = sewer.drift?.() ?? 0
  const dry = dryWeather(sewer)
  const wet =
    sewer.network.nodes.length > 0 ? Math.min(surface + drains - held, Math.max(0, inflow - rdii)) : 0
  const line = (name: string, volume: number) => entry(name, u.large(volume), u.bulk(volume))
  return [
    '',
    `${stars}        Volume        Volume`,
    `Flow Routing Continuity        ${u.largeName}      ${u.bulkName}`,
    `${stars}     ---------     ---------`,
    line('Dry Weather Inflow', dry),
    line('Wet Weather Inflow', wet),
    line('Groundwater Inflow', 0),
    line('RDII Inflow', rdii),
    line('External Inflow', inflow + backflow - returned - wet - rdii - dry),
    line('External Outflow', outfall + backflow),
    line('Flooding Loss', flooded - returned),
    line('Evaporation Loss', evaporation),
    line('Exfiltration Loss', loss - evaporation),
    line('Initial Stored Volume', initial),
    line('Final Stored Volume', stored + drift),
    `Continuity Error (%) .....${fixed((-100 * (error + drift)) / Math.max(1e-9, inflow + initial), 14, 3)}`,
    '',
  ]
}

export function subcatchmentRunoff({ runoff }: Simulated, u: ReportUnits): string[] {
  if (!runoff || runoff.subcatchments.length === 0) return []
  const name = u.rainName
  const heads = [
    '                          Total      Total      Total      Total     Imperv       Perv      Total       Total     Peak  Runoff',
    '                         Precip      Runon       Evap      Infil     Runoff     Runoff     Runoff      Runoff   Runoff   Coeff',
    `Subcatchment                 ${Array.from({ length: 7 }, () => name).join('         ')}    ${u.bulkName}      ${u.flowName}`,
  ]
  const rows = runoff.subcatchments
    .filter(({ input }) => input.areaM2 > 0)
    .map(({ input, totals }) => {
      const { rain, runon, evaporation, infiltration, ratedImpervious, ratedPervious, rated: out } = totals
      const depths = [rain, runon, evaporation, infiltration, ratedImpervious, ratedPervious, out]
        .map((volume) => ` ${fixed(u.rain(volume / input.areaM2), 10, 2)}`)
        .join('')
      const coefficient = rain + runon > 0 ? out / (rain + runon) : 0
      return `${text(input.name, 20)}${depths}${fixed(u.bulk(out), 12, 2)} ${u.flow(totals.peak).slice(-8)}${fixed(coefficient, 8, 3)}`
    })
  return [...heading('Subcatchment Runoff Summary'), ...table(126, heads, rows)]
}

export function measurePerformance({ runoff }: Simulated, u: ReportUnits): string[] {
  // EPA SWMM lists the measures of a subcatchment from the last to the first.
  const rows = (runoff?.subcatchments ?? []).flatMap(({ input, measures }) =>
    [...measures].reverse().map((measure) => {
      const { totals } = measure
      const final = measure.volume()
      const sums = [
        totals.inflow,
        totals.evaporation,
        totals.seepage,
        totals.outflow,
        totals.drain,
        totals.initial,
        final,
      ]
      const into = totals.initial + totals.inflow
      const error = into - final - totals.evaporation - totals.seepage - totals.outflow - totals.drain
      return `${text(input.name, 16)}  ${text(measure.design.name, 16)}${sums.map((value) => fixed(u.rain(value), 10, 2)).join('')}  ${fixed(into > 0 ? (100 * error) / into : 0, 10, 2)}`
    }),
  )
  if (rows.length === 0) return []
  const heads = [
    '                                       Total      Evap     Infil   Surface    Drain    Initial     Final  Continuity',
    '                                      Inflow      Loss      Loss   Outflow   Outflow   Storage   Storage       Error',
    `Subcatchment      LID Control             ${Array.from({ length: 7 }, () => u.rainName).join('        ')}           %`,
  ]
  return [...heading('LID Performance Summary'), ...table(116, heads, rows)]
}
