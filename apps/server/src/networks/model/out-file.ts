import { closeSync, openSync, writeSync } from 'node:fs'
import type { SewerLink } from '@radx/contracts/sewer'
import { SwmmOut, type SwmmPeriod } from '@radx/formats/swmm-out'
import type { Runoff } from '@radx/hydrology/runoff/runoff'
import { sectionTable, tableAt } from '@radx/hydrology/sewer/sections/section-table'
import type { Sewer } from '@radx/hydrology/sewer/types'
import type { Stateful, StateVisitor } from '@radx/hydrology/state/state'

/**
 * EPA SWMM's binary file of a run, in m and m3/s. States are those at the end of a period; lateral inflow and flooding are
 * means over it.
 */
export class OutFile implements Stateful {
  private readonly sewer: Sewer
  private readonly out: SwmmOut
  private readonly file: number
  private readonly areas: ((depthM: number) => number)[]
  /** Of each conduit when full, m2; found once, since every period asks for it. */
  private readonly fullAreas: Float64Array
  /** 1 for outfalls. */
  private readonly isOutfall: Uint8Array
  private readonly lateral: Float64Array
  private readonly flooded: Float64Array
  private readonly runoff: Runoff | null
  private sinceS = 0

  /**
   * @param startEpochS start of the run, s since 1970-01-01
   * @param fromS moment of the run from which on there are periods, s
   * @param runoff whose subcatchments stand in the file too
   */
  constructor(
    path: string,
    sewer: Sewer,
    startEpochS: number,
    intervalS: number,
    fromS = 0,
    runoff: Runoff | null = null,
  ) {
    this.sewer = sewer
    this.runoff = runoff
    this.out = new SwmmOut(
      sewer.network,
      startEpochS,
      intervalS,
      runoff?.subcatchments.map(({ input }) => input),
    )
    this.areas = sewer.network.links.map(areaOf(new Map()))
    this.fullAreas = Float64Array.from(this.areas, (area, k) => area(sewer.linkFullDepths[k]))
    this.isOutfall = Uint8Array.from(sewer.network.nodes, ({ kind }) => (kind === 'outfall' ? 1 : 0))
    this.lateral = new Float64Array(sewer.network.nodes.length)
    this.flooded = new Float64Array(sewer.network.nodes.length)
    this.file = openSync(path, 'w')
    writeSync(this.file, this.out.head(sewer.linkFullDepths, fromS))
  }

  visit(state: StateVisitor): void {
    this.sinceS = state.number('sinceS', this.sinceS)
    state.array('lateral', this.lateral)
    state.array('flooded', this.flooded)
  }

  /** Takes the step of `dtS` seconds that the sewer has just made. */
  observe(dtS: number): void {
    this.sinceS += dtS
    const { lateralVolumes, floodVolumes } = this.sewer
    for (let k = 0; k < this.lateral.length; k++) {
      this.lateral[k] += lateralVolumes[k]
      this.flooded[k] += floodVolumes[k]
    }
  }

  /** Writes the period that ends now. */
  period(timeS: number): void {
    const sewer = this.sewer
    const { links } = sewer.network
    const { areas, fullAreas, isOutfall } = this
    const lasted = Math.max(this.sinceS, 1e-9)
    const lateralM3S = this.lateral.map((volume) => volume / lasted)
    const floodingM3S = this.flooded.map((volume) => volume / lasted)
    const inflowM3S = lateralM3S.slice()
    const volumeM3 = new Float64Array(links.length)
    const capacity = new Float64Array(links.length)
    const depthM = sewer.linkDepths.slice()
    const { flows } = sewer
    let outflowM3S = 0
    for (let k = 0; k < links.length; k++) {
      const link = links[k]
      const flow = flows[k]
      inflowM3S[flow >= 0 ? link.to : link.from] += Math.abs(flow)
      if (isOutfall[link.to] === 1) outflowM3S += flow
      if (isOutfall[link.from] === 1) outflowM3S -= flow
      if (link.kind !== 'conduit') {
        capacity[k] = sewer.settings[k]
        depthM[k] = overCrest(sewer, link, k)
        continue
      }
      const area = areas[k](depthM[k])
      volumeM3[k] = area * link.lengthM * link.section.barrels
      capacity[k] = area / fullAreas[k]
    }
    writeSync(
      this.file,
      this.out.period(timeS, {
        ...(this.runoff && { subcatchment: catchmentsAt(this.runoff, timeS) }),
        node: {
          depthM: sewer.depths,
          headM: sewer.heads,
          volumeM3: sewer.volumes,
          lateralM3S,
          inflowM3S,
          floodingM3S,
        },
        link: {
          flowM3S: sewer.flows,
          depthM,
          velocityMS: sewer.velocities,
          volumeM3,
          capacity,
        },
        system: {
          lateralM3S: sum(lateralM3S),
          floodingM3S: sum(floodingM3S),
          outflowM3S,
          storageM3: sewer.totals().stored,
        },
      }),
    )
    this.lateral.fill(0)
    this.flooded.fill(0)
    this.sinceS = 0
  }

  /** Ends the file, which may still be read no sooner than it is closed. */
  finish(): void {
    writeSync(this.file, this.out.tail())
  }

  close(): void {
    closeSync(this.file)
  }
}

function sum(values: Float64Array): number {
  let all = 0
  for (let k = 0; k < values.length; k++) all += values[k]
  return all
}

const MM_H = 3.6e6
const MM_DAY = 8.64e7

/** What subcatchments do at a moment, in the units of the file. */
function catchmentsAt(runoff: Runoff, timeS: number): NonNullable<SwmmPeriod['subcatchment']> {
  const states = runoff.subcatchments.map((_, i) => runoff.stateOf(i, timeS))
  return {
    rainMmH: states.map(({ rain }) => rain * MM_H),
    evaporationMmDay: states.map(({ evaporation }) => evaporation * MM_DAY),
    infiltrationMmH: states.map(({ infiltration }) => infiltration * MM_H),
    runoffM3S: states.map(({ flow }) => flow),
  }
}

/** Water over the crest of a device, no higher than its opening, m; pumps have none. */
function overCrest(sewer: Sewer, link: SewerLink, k: number): number {
  if (link.kind === 'conduit' || link.kind === 'pump') return 0
  const { heads, invertElevations, settings, linkFullDepths } = sewer
  const head = Math.max(heads[link.from], heads[link.to]) - invertElevations[link.from] - link.offsetM
  if (link.kind === 'outlet') return Math.max(0, head)
  const full = linkFullDepths[k]
  // A weir is raised by what is shut of it, an orifice lowered.
  if (link.kind === 'weir') return Math.min(full, Math.max(0, head - (1 - settings[k]) * full))
  const opening = settings[k] * full
  // EPA SWMM calls the opening in a floor full as soon as water stands on it.
  if (link.kind === 'orifice' && link.orientation === 'bottom') return head > 0 ? opening : 0
  return Math.min(opening, Math.max(0, head))
}

/** Area of a link's section by its depth, m2; equal sections share their table. */
const areaOf = (tables: Map<string, (depthM: number) => number>) => (link: SewerLink) => {
  if (link.kind !== 'conduit') return () => 0
  const key = JSON.stringify(link.section)
  let area = tables.get(key)
  if (area === undefined) {
    const table = sectionTable(link.section)
    area = (depthM) => tableAt(table, depthM, 0)
    tables.set(key, area)
  }
  return area
}
