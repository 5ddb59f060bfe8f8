import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LandUseClass } from '@radx/contracts/landuse'
import type { RunMeasure, StoringMeasure } from '@radx/contracts/measures'
import { DRAIN_NEAREST, DRAIN_SURFACE, drainOf, figuresOf } from '@radx/contracts/measures-constants'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { measureSite } from '@radx/hydrology/measures/design'
import type { MeasureSite, MeasureVolumes } from '@radx/hydrology/measures/measures'
import { csvText } from '@radx/locale/csv'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { OutputMissing } from '../errors.ts'
import type { EngineTask } from './assemble.ts'
import { OUTPUT } from './outputs.ts'
import { unquote } from './sewer-results.ts'

/** A drain reaches no junction further away than this by itself, m. */
const DRAIN_REACH_M = 100

/** A measure as it lies on the ground: cells of one code that touch by their sides. */
export interface PlacedMeasure {
  code: number
  measure: StoringMeasure
  site: MeasureSite
  /** Where its drain leads: a junction, the surface, or nowhere without one. */
  drainTo: string
}

/** The measures of a run's land use, from the north-west on. */
export function placedMeasures({ catchment, options, ...task }: EngineTask): PlacedMeasure[] {
  const codes = task.landUseCodes ?? catchment.landUse.data
  const storing = new Map(
    (task.classes ?? catchment.classes).flatMap((entry) => (entry.measure ? [[entry.code, entry]] : [])),
  ) as Map<number, LandUseClass & { measure: StoringMeasure }>
  if (storing.size === 0) return []
  const counts = new Map<number, number>()
  const seen = new Uint8Array(codes.length)
  const placed: PlacedMeasure[] = []
  for (let cell = 0; cell < codes.length; cell++) {
    const entry = storing.get(codes[cell])
    if (!entry || seen[cell] || codes[cell] === catchment.catchment.permanentWaterCode) continue
    const cells = patchOf(codes, catchment.landUse.ncols, cell, seen)
    const number = (counts.get(entry.code) ?? 0) + 1
    counts.set(entry.code, number)
    const node = options.drainage && drains(entry.measure) ? drainNode(entry.measure, cells, catchment) : -1
    placed.push({
      ...{ code: entry.code, measure: entry.measure },
      site: measureSite(entry.measure, {
        ...{ name: `${entry.title.replace(/\s+/g, ' ')} ${number}`, cells, soil: options.soil, node },
      }),
      drainTo: !drains(entry.measure) ? '' : node < 0 ? DRAIN_SURFACE : catchment.network.nodes[node].name,
    })
  }
  return placed
}

/** Whether a measure has a drain. */
function drains(measure: StoringMeasure): boolean {
  const { drainMmH = 0, matN } = figuresOf(measure)
  return drainMmH > 0 || matN !== undefined
}

/** Cells of one code that touch by their sides, the first one being the north-western. */
function patchOf(codes: ArrayLike<number>, ncols: number, first: number, seen: Uint8Array): number[] {
  const cells = [first]
  seen[first] = 1
  for (let k = 0; k < cells.length; k++) {
    const cell = cells[k]
    const col = cell % ncols
    const beside = [cell - ncols, cell + ncols, col > 0 ? cell - 1 : -1, col < ncols - 1 ? cell + 1 : -1]
    for (const other of beside) {
      if (!(other >= 0 && other < codes.length) || seen[other] || codes[other] !== codes[first]) continue
      seen[other] = 1
      cells.push(other)
    }
  }
  return cells.sort((a, b) => a - b)
}

/** Node that a drain leads to: the one that is named, or the nearest within reach; -1 for none. */
function drainNode(
  measure: StoringMeasure,
  cells: number[],
  { network, networkText, nodeCells, landUse }: CatchmentPackage,
): number {
  const to = drainOf(measure)
  if (networkText === null || to === DRAIN_SURFACE) return -1
  if (to !== DRAIN_NEAREST) return network.nodes.findIndex(({ name }) => name === to)
  const { ncols, cellSize } = landUse
  const mean = (of: (cell: number) => number) => cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length
  const [row, col] = [mean((cell) => Math.floor(cell / ncols)), mean((cell) => cell % ncols)]
  let nearest = -1
  let least = DRAIN_REACH_M / cellSize
  for (const [k, { kind }] of network.nodes.entries()) {
    if (kind === 'outfall' || nodeCells[k] < 0) continue
    const away = Math.hypot(Math.floor(nodeCells[k] / ncols) - row, (nodeCells[k] % ncols) - col)
    if (away > least || (nearest >= 0 && away === least)) continue
    least = away
    nearest = k
  }
  return nearest
}

/** Columns of `measures.csv`, and what they hold. */
const COLUMNS = {
  ...{ name: 'name', kind: 'kind', code: 'code', cells: 'cells', area_m2: 'areaM2', drain_to: 'drainTo' },
  ...{ rain_m3: 'rainM3', inflow_m3: 'inflowM3', initial_m3: 'initialM3', stored_m3: 'storedM3' },
  ...{ infiltrated_m3: 'infiltratedM3', evaporated_m3: 'evaporatedM3', drained_m3: 'drainedM3' },
  ...{
    overflow_m3: 'overflowM3',
    balance_error_m3: 'balanceErrorM3',
    kept_m3: 'keptM3',
    cost_eur: 'costEur',
  },
} as const satisfies Record<string, keyof RunMeasure>
const TEXTS: readonly (keyof RunMeasure)[] = ['name', 'kind', 'drainTo']

function rowOf(
  { code, measure, site, drainTo }: PlacedMeasure,
  volumes: MeasureVolumes,
  cellM2: number,
): RunMeasure {
  const { share = 1, costEurM2 = 0 } = figuresOf(measure)
  const { errorM3, ...rest } = volumes
  const areaM2 = share * site.cells.length * cellM2
  return {
    ...{ name: site.name, kind: measure.kind, code, cells: site.cells.length, areaM2, drainTo, ...rest },
    balanceErrorM3: errorM3,
    keptM3: rest.storedM3 - rest.initialM3 + rest.infiltratedM3 + rest.evaporatedM3,
    costEur: areaM2 * costEurM2,
  }
}

/** Digits of a volume, and of what is an area or money. */
const DECIMALS: Partial<Record<keyof RunMeasure, number>> = { code: 0, cells: 0, areaM2: 2, costEur: 0 }

/** `measures.csv`: where the water of each measure went. */
export function measuresTable(
  placed: readonly PlacedMeasure[],
  volumes: readonly MeasureVolumes[],
  { cellSize }: EsriGrid,
): string {
  const rows = placed.map((each, k) => {
    const row = rowOf(each, volumes[k], cellSize ** 2)
    return Object.values(COLUMNS).map((key) => {
      const value = row[key]
      if (typeof value === 'string') return value
      return key === 'balanceErrorM3' ? value.toExponential(1) : value.toFixed(DECIMALS[key] ?? 4)
    })
  })
  return csvText([Object.keys(COLUMNS), ...rows])
}

const FIELD = /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g

/** Reads `measures.csv`; nothing of a run without measures. @throws OutputMissing when it is of another version */
export async function readMeasures(dir: string): Promise<RunMeasure[]> {
  const text = await readFile(join(dir, OUTPUT.measures), 'utf8').catch(() => '')
  if (text === '') return []
  const [header, ...lines] = text.trimEnd().split('\n')
  const keys = Object.values(COLUMNS)
  if (header !== Object.keys(COLUMNS).join(',')) throw new OutputMissing(OUTPUT.measures)
  return lines.map((line) => {
    const fields = Array.from(line.matchAll(FIELD), ([, field]) => unquote(field))
    const row = Object.fromEntries(
      keys.map((key, k) => [key, TEXTS.includes(key) ? fields[k] : Number(fields[k])]),
    ) as unknown as RunMeasure
    if (keys.some((key) => typeof row[key] === 'number' && Number.isNaN(row[key])))
      throw new OutputMissing(OUTPUT.measures)
    return row
  })
}
