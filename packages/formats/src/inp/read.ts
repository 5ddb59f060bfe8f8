import type { RunoffModel, SewerClimate, SewerNetwork, SewerOptions, StreetInlet } from '@radx/contracts'
import { checkNetwork } from './check.ts'
import { InpContext } from './context.ts'
import { readInlets } from './inlets.ts'
import { type InpDocument, splitInp } from './lines.ts'
import { readLinks } from './links.ts'
import {
  evaporates,
  type InpTables,
  readCoordinates,
  readInflows,
  readNodes,
  SeriesIn,
  tellKeptLosses,
} from './nodes.ts'
import { readOptions } from './options.ts'
import { readRules } from './rules.ts'
import { readAdjustments, readClimate } from './runoff/climate.ts'
import { RUNOFF_SECTIONS, readRunoff } from './runoff/read.ts'
import { type ReadSide, readCurves, readPatterns, readSeries, readStreets, readTransects } from './tables.ts'
import type { InpUnits } from './units.ts'

export interface ReadInpOptions {
  /** Name that messages carry. */
  file?: string
  /** Reads a file that [TIMESERIES] names; without it such series are refused. */
  readFile?: ReadSide
  /** Reads rain and runoff too; else they are counted and read past. */
  runoff?: boolean
  /** Reads inlets of streets; else they are counted, and water stays in the streets. */
  inlets?: boolean
}

export interface InpResult {
  network: SewerNetwork
  /** Rain and runoff, where they were asked for and the file has any. */
  runoff: RunoffModel | null
  /** Inlets of streets, where they were asked for. */
  inlets: StreetInlet[]
  document: InpDocument
  units: InpUnits
  /** Nodes from which no way leads to an outfall. */
  cutOff: string[]
  /** French, with file and line. */
  warnings: string[]
}

/** Sections about rain, runoff and quality: they bring no water here, and are counted. */
const HYDROLOGY = new Set(
  `EVAPORATION TEMPERATURE ADJUSTMENTS RAINGAGES SUBCATCHMENTS SUBAREAS INFILTRATION LID_CONTROLS LID_USAGE AQUIFERS
  GROUNDWATER GWF SNOWPACKS HYDROGRAPHS RDII POLLUTANTS LANDUSES COVERAGES LOADINGS BUILDUP WASHOFF TREATMENT INLETS`.split(
    /\s+/,
  ),
)
/** Sections for drawings and reports. */
const PICTURES = new Set('REPORT TAGS MAP POLYGONS SYMBOLS LABELS BACKDROP PROFILES'.split(' '))
const HYDRAULICS = new Set(
  `TITLE OPTIONS JUNCTIONS OUTFALLS DIVIDERS STORAGE CONDUITS PUMPS ORIFICES WEIRS OUTLETS CONTROLS XSECTIONS STREETS
  TRANSECTS LOSSES CURVES TIMESERIES PATTERNS INFLOWS DWF COORDINATES VERTICES FILES EVENTS INLET_USAGE`.split(
    /\s+/,
  ),
)

const NAMES = [...HYDRAULICS, ...HYDROLOGY, ...PICTURES]

/**
 * Reads a SWMM 5 network: hydraulics in SI, document as it stands. What would change the flow and is not computed
 * is named in a warning; hydrology and quality are read past with one.
 * @throws FormatError with file, line and remedy
 */
export function readInp(input: string | Uint8Array, options: ReadInpOptions = {}): InpResult {
  const document = splitInp(input, options.file ?? 'réseau.inp')
  const context = new InpContext(document)
  nameSections(context, options)
  nameWhatIsLeftOut(context, options)
  const sewerOptions = readOptions(context)
  const tables: InpTables = {
    curves: readCurves(context),
    series: readSeries(context, options.readFile),
    patterns: readPatterns(context),
  }
  const scaled = new SeriesIn()
  readNodes(context, tables, scaled)
  const transects = readTransects(context)
  const streets = readStreets(context)
  const links = readLinks(context, tables, sewerOptions, transects, streets)
  const cutOff = checkNetwork(context, links)
  readInflows(context, tables, scaled)
  readCoordinates(context)
  const rules = readRules(context, tables, links)
  const inlets = options.inlets ? readInlets(context, tables, links) : []
  const runoff = options.runoff ? readRunoff(context, tables, sewerOptions, options.readFile) : null
  if (!runoff) tellLostReturns(context)
  if (options.runoff) tellTides(context, sewerOptions)
  else tellKeptLosses(context)
  const climate = options.runoff ? climateOf(context, tables, sewerOptions, runoff, options.readFile) : null
  const title = context
    .sections('TITLE')
    .flatMap((section) => section.text.filter((line) => line.trim() !== ''))
  return {
    network: {
      ...{ title, options: sewerOptions, nodes: context.nodes, links, rules },
      ...(climate ? { climate } : {}),
    },
    runoff,
    inlets,
    document,
    units: context.units,
    cutOff,
    warnings: context.warnings,
  }
}

/** EPA SWMM reads tides by the hours of the run, and so does its scheme here: that matters where a run does not start at midnight. */
function tellTides(context: InpContext, { startEpochS }: SewerOptions) {
  const tidal = context.nodes.findIndex((node) => node.kind === 'outfall' && node.boundary.type === 'tidal')
  const hour = (((startEpochS % 86_400) + 86_400) % 86_400) / 3600
  if (tidal < 0 || hour === 0) return
  context.warn(
    context.nodeLine[tidal],
    `la marée de « ${context.nodes[tidal].name} » commence avec le calcul, comme dans EPA SWMM, et non à minuit : elle a ${hour.toFixed(1).replace('.', ',')} h de retard sur sa courbe. Commencez à 00:00, donnez une série (TIMESERIES), ou demandez --implicit, qui la lit à l'heure du jour.`,
  )
}

/** What storage nodes evaporate by and dry by; null where none loses water. */
function climateOf(
  context: InpContext,
  tables: InpTables,
  options: SewerOptions,
  runoff: RunoffModel | null,
  readFile?: ReadSide,
): SewerClimate | null {
  if (!context.nodes.some((node) => node.kind === 'storage' && node.losses)) return null
  if (runoff) {
    const { evaporation, adjustments, recovery } = runoff
    return { evaporation, adjustments, recovery }
  }
  const { evaporation, recovery } = evaporates(context)
    ? readClimate(context, tables, options, readFile)
    : { evaporation: { type: 'constant', rate: 0 } as const, recovery: null }
  return { evaporation, adjustments: readAdjustments(context).all, recovery }
}

/** Without rain outfalls lead out of the model. */
function tellLostReturns(context: InpContext) {
  for (const { to, line } of context.outfallReturns)
    context.warn(
      line.number,
      `l'exutoire « ${line.words[0]} » rend ses eaux au bassin versant « ${to} » : elles quittent ici le calcul.`,
    )
}

function nameSections(context: InpContext, { runoff, inlets }: ReadInpOptions) {
  const skipped: string[] = []
  for (const section of context.document.sections) {
    const known = (name: string) => HYDRAULICS.has(name) || HYDROLOGY.has(name) || PICTURES.has(name)
    // EPA SWMM knows a section by its beginning: [JUNC] is [JUNCTIONS].
    if (!known(section.name) && section.name.length >= 4)
      section.name = NAMES.find((name) => name.startsWith(section.name)) ?? section.name
    if (!known(section.name))
      throw context.fail(
        section.line,
        'section',
        `la section [${section.name.slice(0, 40)}] n'est pas connue de SWMM 5.2. Retirez-la ou corrigez son nom.`,
      )
    if (runoff && RUNOFF_SECTIONS.includes(section.name)) continue
    if (inlets && section.name === 'INLETS') continue
    if (HYDROLOGY.has(section.name) && section.lines.length > 0)
      skipped.push(`[${section.name}] (${section.lines.length})`)
  }
  if (skipped.length > 0)
    context.warnings.push(
      `${context.file} : ${skipped.length} section(s) d'hydrologie ou de qualité laissée(s) de côté : ${skipped.join(', ')}.`,
    )
}

/** What would change the flow and is not computed is named, each with what is done instead. */
function nameWhatIsLeftOut(context: InpContext, options: ReadInpOptions) {
  const [event] = context.lines('EVENTS')
  if (event)
    context.warn(
      event.number,
      '[EVENTS] limite le calcul à des épisodes : toute la période est calculée, ce qui les comprend.',
    )
  const inlets = context.lines('INLET_USAGE')
  if (inlets.length > 0 && !options.inlets)
    context.warn(
      inlets[0].number,
      `${inlets.length} avaloir(s) de [INLET_USAGE] laissé(s) de côté : l'eau des rues reste dans les rues.`,
    )
  for (const line of context.lines('FILES')) {
    const [verb, kind] = line.words.map((word) => word.toUpperCase())
    if (verb !== 'USE' || kind === 'RAINFALL') continue
    context.warn(
      line.number,
      kind === 'HOTSTART'
        ? `l'état initial de « ${line.words[2] ?? ''} » (HOTSTART) n'est pas lu : le calcul part des hauteurs et débits initiaux du fichier.`
        : `le fichier « ${line.words[2] ?? ''} » (${kind ?? '?'}) de [FILES] n'est pas lu : ce qu'il apporte manque au calcul.`,
    )
  }
}
