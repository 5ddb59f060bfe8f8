import type { SewerLink, SewerNetwork } from '@radx/contracts/sewer'

// Binary results as EPA SWMM 5.2 writes and its tools read them ("SWMM 5 Interfacing", Rossman, and output.c).
const MAGIC = 516114522
const VERSION = 52004
/**
 * Flow units m3/s (the fourth of CFS, GPM, MGD, CMS, LPS, MLD): all is in m and m3/s, whatever the network's file has.
 */
const CMS = 3
const NODE_KINDS = ['junction', 'outfall', 'storage'] as const
const LINK_KINDS = ['conduit', 'pump', 'orifice', 'weir', 'outlet'] as const
/** Codes of input properties. */
const INPUT = { type: 0, area: 1, invert: 2, maxDepth: 3, offset: 4, length: 5 } as const
const VARIABLES = { subcatchment: 8, node: 6, link: 5, system: 15 } as const
/** Places among the system variables. */
const SYSTEM = {
  rain: 1,
  infiltration: 3,
  runoff: 4,
  external: 8,
  lateral: 9,
  flooding: 10,
  outflow: 11,
  storage: 12,
} as const
const ERROR_NONE = 0
/** Days since 1899-12-30, the beginning of SWMM's calendar, at 1970-01-01. */
const EPOCH_DAYS = 25_569

/** State of a network at the end of a reporting period, in SI, arrays in the order of the network. */
export interface SwmmPeriod {
  /** Of the subcatchments that the file was begun with. */
  subcatchment?: {
    /** mm/h, mm/day, mm/h. */
    rainMmH: ArrayLike<number>
    evaporationMmDay: ArrayLike<number>
    infiltrationMmH: ArrayLike<number>
    runoffM3S: ArrayLike<number>
  }
  node: {
    depthM: ArrayLike<number>
    headM: ArrayLike<number>
    volumeM3: ArrayLike<number>
    lateralM3S: ArrayLike<number>
    /** Lateral and from the links. */
    inflowM3S: ArrayLike<number>
    floodingM3S: ArrayLike<number>
  }
  link: {
    flowM3S: ArrayLike<number>
    depthM: ArrayLike<number>
    velocityMS: ArrayLike<number>
    volumeM3: ArrayLike<number>
    /** Share of the full area, 0 to 1; setting of what is no conduit. */
    capacity: ArrayLike<number>
  }
  system: { lateralM3S: number; floodingM3S: number; outflowM3S: number; storageM3: number }
}

/** Seconds since 1970-01-01 as a date of SWMM. */
export const swmmDate = (epochS: number): number => epochS / 86_400 + EPOCH_DAYS

/**
 * A file of results, part by part: `head`, a `period` a reporting step, `tail`.
 * @param startEpochS start of the run, s since 1970-01-01, the network's clock taken as UTC
 * @param stepS length of a period; the file keeps it in whole seconds, the dates of the periods are exact
 */
export class SwmmOut {
  private readonly network: SewerNetwork
  private readonly startEpochS: number
  private readonly stepS: number
  private readonly subcatchments: readonly SwmmSubcatchment[]
  /** Bytes of the head up to its parts. */
  private readonly places = { names: 0, input: 0, results: 0 }
  private periods = 0

  constructor(
    network: SewerNetwork,
    startEpochS: number,
    stepS: number,
    subcatchments: readonly SwmmSubcatchment[] = [],
  ) {
    this.subcatchments = subcatchments
    this.network = network
    this.startEpochS = startEpochS
    this.stepS = stepS
  }

  /**
   * @param fullDepthsM of the links, 0 for those without a section
   * @param fromS where the first period begins, s since the start of the run: readers count periods from there
   */
  head(fullDepthsM: ArrayLike<number>, fromS = 0): Uint8Array {
    const { nodes, links } = this.network
    const out = new Bytes()
    out.ints(MAGIC, VERSION, CMS, this.subcatchments.length, nodes.length, links.length, 0)
    this.places.names = out.length
    for (const { name } of [...this.subcatchments, ...nodes, ...links]) out.text(name)
    this.places.input = out.length
    out.ints(1, INPUT.area)
    // Hectares, as EPA SWMM has it with metric units.
    for (const { areaM2 } of this.subcatchments) out.floats(areaM2 / 10_000)
    out.ints(3, INPUT.type, INPUT.invert, INPUT.maxDepth)
    const depths = nodeDepths(this.network, fullDepthsM)
    for (const [k, node] of nodes.entries()) {
      out.ints(NODE_KINDS.indexOf(node.kind))
      out.floats(node.invertM, depths[k])
    }
    out.ints(5, INPUT.type, INPUT.offset, INPUT.offset, INPUT.maxDepth, INPUT.length)
    for (const [k, link] of links.entries()) {
      out.ints(LINK_KINDS.indexOf(link.kind))
      out.floats(...linkInput(link, fullDepthsM[k]))
    }
    for (const count of Object.values(VARIABLES))
      out.ints(count, ...Array.from({ length: count }, (_, code) => code))
    out.doubles(swmmDate(this.startEpochS + fromS))
    out.ints(Math.max(1, Math.round(this.stepS)))
    this.places.results = out.length
    return out.take()
  }

  /** @param timeS end of the period, s since the start of the run */
  period(timeS: number, { subcatchment, node, link, system }: SwmmPeriod): Uint8Array {
    const { nodes, links } = this.network
    const catchments = this.subcatchments.length
    const bytes = new Uint8Array(
      8 +
        4 *
          (catchments * VARIABLES.subcatchment +
            nodes.length * VARIABLES.node +
            links.length * VARIABLES.link +
            VARIABLES.system),
    )
    const view = new DataView(bytes.buffer)
    view.setFloat64(0, swmmDate(this.startEpochS + timeS), true)
    const floats = new Float32Array(bytes.buffer, 8)
    const nodeColumns = [
      node.depthM,
      node.headM,
      node.volumeM3,
      node.lateralM3S,
      node.inflowM3S,
      node.floodingM3S,
    ]
    const linkColumns = [link.flowM3S, link.depthM, link.velocityMS, link.volumeM3, link.capacity]
    if (subcatchment) spread(floats, 0, catchmentColumns(subcatchment, catchments), catchments)
    const nodesAt = catchments * VARIABLES.subcatchment
    spread(floats, nodesAt, nodeColumns, nodes.length)
    const linksAt = nodesAt + nodes.length * VARIABLES.node
    spread(floats, linksAt, linkColumns, links.length)
    const totals = floats.subarray(linksAt + links.length * VARIABLES.link)
    if (subcatchment) {
      const share = this.subcatchments.map(({ areaM2 }) => areaM2)
      totals[SYSTEM.rain] = meanOf(subcatchment.rainMmH, share)
      totals[SYSTEM.infiltration] = meanOf(subcatchment.infiltrationMmH, share)
      for (let k = 0; k < catchments; k++) totals[SYSTEM.runoff] += subcatchment.runoffM3S[k]
    }
    totals[SYSTEM.external] = system.lateralM3S
    totals[SYSTEM.lateral] = system.lateralM3S
    totals[SYSTEM.flooding] = system.floodingM3S
    totals[SYSTEM.outflow] = system.outflowM3S
    totals[SYSTEM.storage] = system.storageM3
    if (!LITTLE_ENDIAN) for (let k = 0; k < floats.length; k++) view.setFloat32(8 + 4 * k, floats[k], true)
    this.periods++
    return bytes
  }

  tail(): Uint8Array {
    const { names, input, results } = this.places
    const out = new Bytes()
    out.ints(names, input, results, this.periods, ERROR_NONE, MAGIC)
    return out.take()
  }
}

/** A subcatchment as files of results name it. */
export interface SwmmSubcatchment {
  name: string
  areaM2: number
}

/** In EPA SWMM's order, without snow, groundwater and moisture of the soil. */
function catchmentColumns(
  { rainMmH, evaporationMmDay, infiltrationMmH, runoffM3S }: NonNullable<SwmmPeriod['subcatchment']>,
  count: number,
): ArrayLike<number>[] {
  const none = new Float64Array(count)
  return [rainMmH, none, evaporationMmDay, infiltrationMmH, runoffM3S, none, none, none]
}

function meanOf(values: ArrayLike<number>, shares: readonly number[]): number {
  let [sum, whole] = [0, 0]
  shares.forEach((share, k) => {
    sum += share * values[k]
    whole += share
  })
  return whole > 0 ? sum / whole : 0
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Writes columns element by element. */
function spread(out: Float32Array, at: number, columns: ArrayLike<number>[], length: number): void {
  const stride = columns.length
  columns.forEach((column, c) => {
    for (let k = 0; k < length; k++) out[at + k * stride + c] = column[k]
  })
}

/** Full depths of the nodes, m: as the file has them, and no lower than the crowns of their pipes. */
function nodeDepths({ nodes, links }: SewerNetwork, fullDepthsM: ArrayLike<number>): number[] {
  const depths = nodes.map(({ fullDepthM }) => fullDepthM)
  for (const [k, link] of links.entries()) {
    if (link.kind !== 'conduit') continue
    depths[link.from] = Math.max(depths[link.from], link.inOffsetM + fullDepthsM[k])
    depths[link.to] = Math.max(depths[link.to], link.outOffsetM + fullDepthsM[k])
  }
  return depths
}

/** Offsets at both ends, full depth and length of a link, m. */
function linkInput(link: SewerLink, fullDepthM: number): [number, number, number, number] {
  if (link.kind === 'pump') return [0, 0, 0, 0]
  if (link.kind === 'conduit') return [link.inOffsetM, link.outOffsetM, fullDepthM, link.lengthM]
  // EPA SWMM has the crest at both ends.
  return [link.offsetM, link.offsetM, fullDepthM, 0]
}

/** Little-endian values one after the other. */
class Bytes {
  private readonly parts: Uint8Array[] = []
  length = 0

  private add(bytes: Uint8Array): void {
    this.parts.push(bytes)
    this.length += bytes.length
  }

  ints(...values: number[]): void {
    const view = new DataView(new ArrayBuffer(4 * values.length))
    for (const [k, value] of values.entries()) view.setInt32(4 * k, value, true)
    this.add(new Uint8Array(view.buffer))
  }

  floats(...values: number[]): void {
    const view = new DataView(new ArrayBuffer(4 * values.length))
    for (const [k, value] of values.entries()) view.setFloat32(4 * k, value, true)
    this.add(new Uint8Array(view.buffer))
  }

  doubles(value: number): void {
    const view = new DataView(new ArrayBuffer(8))
    view.setFloat64(0, value, true)
    this.add(new Uint8Array(view.buffer))
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text)
    this.ints(bytes.length)
    this.add(bytes)
  }

  take(): Uint8Array {
    const all = new Uint8Array(this.length)
    let at = 0
    for (const part of this.parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }
}
