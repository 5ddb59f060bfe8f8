import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  LINK_QUANTITIES,
  type NetworkComparison,
  type NetworkCurves,
  type NetworkModel,
  type NetworkRunResult,
  type NetworkVersion,
  NODE_QUANTITIES,
  type NodePath,
  RadxError,
  SUBCATCHMENT_VARIABLES,
} from '@radx/contracts'
import type { InpResult } from '@radx/formats/inp/read'
import { type CsvDialect, csvInDialect } from '@radx/locale/csv'
import { type FileStore, openFileStore } from '../store/file-store.ts'
import { sealFolder } from '../store/folder-checksums.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { openVersion, outputPath, type VersionFiles } from './files.ts'
import { comparePeaks, peaksAsTheirs, theirsOf } from './model/compare.ts'
import { readCurves } from './model/curves.ts'
import { loadModel } from './model/load.ts'
import { readMeasures } from './model/measures-file.ts'
import { toDegrees } from './model/place.ts'
import { linkProperties, nodeProperties } from './model/properties.ts'
import { shortestPath } from './model/shortest-path.ts'
import { NETWORK_OUTPUT } from './outputs.ts'
import { modelOf, peaksOfRun, type RunFiles } from './placed.ts'
import { sideFiles } from './side-files.ts'
import { unpack } from './unpack.ts'

/** What an upload holds. */
export type Taken = Pick<NetworkVersion, 'file' | 'files' | 'bytes' | 'nodes' | 'links' | 'subcatchments'> & {
  /** Hex. */
  sha256: string
  warnings: string[]
  /** System of the positions, where a catchment.json beside the network names one; else null. */
  crs: string | null
}

/** Takes an upload apart into a folder, reads the model and seals the folder. @throws UploadRefused, FormatError */
export const takeAnswer: AnswerKind<{ path: string; name: string; dir: string }, Taken> = {
  name: 'network.take',
  async run(_, { path, name, dir }) {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const { file, files: names } = await unpack(path, name, dir)
    const model = await loadModel(join(dir, file), true, sideFiles(dir, names))
    if (model.network.nodes.length === 0 && !model.runoff?.subcatchments.length)
      throw new RadxError(
        'network.empty',
        422,
        `${file} n’a ni nœud ni bassin versant : il n’y a rien à calculer.`,
      )
    const files = await Promise.all(
      names.map(async (one) => ({ name: one, bytes: (await stat(join(dir, one))).size })),
    )
    const hash = createHash('sha256')
    for (const one of [...names].sort())
      hash
        .update(`${one}\0`)
        .update(readFileSync(join(dir, one)))
        .update('\0')
    await sealFolder(dir)
    return {
      file,
      files,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      sha256: hash.digest('hex'),
      nodes: model.network.nodes.length,
      links: model.network.links.length,
      subcatchments: model.runoff?.subcatchments.length ?? 0,
      warnings: model.warnings,
      crs: crsBeside(dir, names),
    }
  },
}

/** What catchment.json says of a package whose network this is, if it is a system that is known here. */
function crsBeside(dir: string, names: readonly string[]): string | null {
  if (!names.includes('catchment.json')) return null
  try {
    const said = JSON.parse(readFileSync(join(dir, 'catchment.json'), 'utf8')) as { crs?: unknown } | null
    const crs = String(said?.crs)
    toDegrees(crs)
    return crs
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RadxError) return null
    throw error
  }
}

type CurvesOf = 'node' | 'link' | 'subcatchment'

export type NetworkAsked =
  | { of: 'model'; version: VersionFiles; crs: string | null }
  | { of: 'profile'; version: VersionFiles; start: string; end: string; run: RunFiles | null }
  | { of: 'curves'; run: RunFiles; kind: CurvesOf; quantity: string; names: string[] }
  | { of: 'compare'; run: RunFiles; other: { run: RunFiles; name: string } | { path: string; name: string } }
  | { of: 'csv'; run: RunFiles; name: string; dialect: CsvDialect }

/** An answer about a network or a run of one, as the bytes that are sent. */
export const networkAnswer: AnswerKind<NetworkAsked, { body: Uint8Array }> = {
  name: 'network',
  async run(context, asked) {
    const made = await answerTo(context, asked)
    return { body: new TextEncoder().encode(typeof made === 'string' ? made : JSON.stringify(made)) }
  },
}

async function answerTo(
  { config }: AnswerContext,
  asked: NetworkAsked,
): Promise<string | NetworkModel | NodePath | NetworkCurves | NetworkComparison> {
  const store = openFileStore(config)
  switch (asked.of) {
    case 'model':
      return modelOf(await openVersion(store, asked.version, true), asked.crs)
    case 'profile':
      return profileOf(
        await openVersion(store, asked.version, false),
        asked.start,
        asked.end,
        await levelsOf(store, asked.run),
      )
    case 'curves':
      return curvesOf(store, asked)
    case 'compare': {
      const model = await openVersion(store, asked.run.of, false)
      const ours = await peaksOfRun(store, asked.run)
      const theirs =
        'run' in asked.other
          ? peaksAsTheirs(asked.other.name, await peaksOfRun(store, asked.other.run), model.units)
          : theirsOf(
              await readFile(asked.other.path),
              asked.other.name,
              model.network,
              ours.subcatchments.names,
            )
      return comparePeaks(theirs, ours, model)
    }
    case 'csv':
      return csvInDialect(
        await readFile(await outputPath(store, asked.run.jobId, asked.name), 'utf8'),
        asked.dialect,
      )
  }
}

const resultOf = async (store: FileStore, { jobId }: RunFiles): Promise<NetworkRunResult> =>
  JSON.parse(await readFile(await outputPath(store, jobId, NETWORK_OUTPUT.run), 'utf8'))

async function levelsOf(store: FileStore, run: RunFiles | null): Promise<Levels | null> {
  if (!run) return null
  const path = await outputPath(store, run.jobId, NETWORK_OUTPUT.out)
  return { path, stepS: (await resultOf(store, run)).stepS }
}

async function curvesOf(
  store: FileStore,
  { run, kind, quantity, names }: Extract<NetworkAsked, { of: 'curves' }>,
): Promise<NetworkCurves> {
  const { network, runoff } = await openVersion(store, run.of, kind === 'subcatchment')
  const all: readonly { name: string }[] = {
    node: network.nodes,
    link: network.links,
    subcatchment: runoff?.subcatchments ?? [],
  }[kind]
  const place = new Map(all.map(({ name }, k) => [name, k]))
  const elements = names.map((name) => {
    const k = place.get(name)
    if (k === undefined)
      throw new RadxError('network.element', 404, `« ${name} » n’est pas dans ce réseau.`, {
        details: { name },
      })
    return k
  })
  const quantities: readonly string[] = QUANTITIES[kind]
  const { stepS } = await resultOf(store, run)
  const { periods, values } = readCurves({
    path: await outputPath(store, run.jobId, NETWORK_OUTPUT.out),
    nodes: network.nodes.length,
    links: network.links.length,
    of: kind,
    quantity: Math.max(0, quantities.indexOf(quantity)),
    elements,
    most: MOST_VALUES,
  })
  const shown =
    quantity === 'measures'
      ? readMeasures(
          await outputPath(store, run.jobId, NETWORK_OUTPUT.measures),
          all.length,
          elements,
          periods,
        ).map((depths) => depths.map((depth) => depth * 1000))
      : values
  const { reportStartS } = network.options
  return {
    timesS: periods.map((k) => reportStartS + (k + 1) * stepS),
    curves: names.map((name, k) => ({ name, values: shown[k] })),
  }
}

const QUANTITIES: Record<CurvesOf, readonly string[]> = {
  node: NODE_QUANTITIES,
  link: LINK_QUANTITIES,
  subcatchment: SUBCATCHMENT_VARIABLES,
}

/** Values of a curve; more would be no other picture. */
const MOST_VALUES = 5_000
/** Moments of a profile. */
const MOST_MOMENTS = 300

type Link = InpResult['network']['links'][number]

interface Levels {
  path: string
  stepS: number
}

/** The pipes between two nodes, and the water in them where a run is given. */
function profileOf({ network }: InpResult, start: string, end: string, levels: Levels | null): NodePath {
  const path = shortestPath(network, start, end)
  const place = new Map(network.nodes.map(({ name }, n) => [name, n]))
  const elements = path.map((name) => place.get(name) as number)
  const links = elements.slice(1).map((to, i) => linkBetween(network.links, elements[i], to))
  return {
    nodes: elements.map((n) => nodeProperties(network.nodes[n])),
    links: links.map((link) => linkProperties(network, link)),
    data: levels ? momentsOf(network, elements, links, levels) : [],
  }
}

function momentsOf(
  { nodes, links, options }: InpResult['network'],
  elements: number[],
  between: readonly Link[],
  { path, stepS }: Levels,
): NodePath['data'] {
  const asked = { path, nodes: nodes.length, links: links.length, most: MOST_MOMENTS }
  const depth = NODE_QUANTITIES.indexOf('depth')
  const { periods, values } = readCurves({ ...asked, of: 'node', quantity: depth, elements })
  const speeds = readCurves({
    ...asked,
    of: 'link',
    quantity: LINK_QUANTITIES.indexOf('velocity'),
    elements: between.map((link) => links.indexOf(link)),
  }).values
  return periods.map((k, p) => ({
    timeS: options.reportStartS + (k + 1) * stepS,
    depths: values.map((own) => own[p]),
    speeds: speeds.map((own) => Math.abs(own[p])),
  }))
}

/** The shortest of the links between two neighbours, as the path takes it. */
function linkBetween(links: readonly Link[], a: number, b: number): Link {
  const between = links.filter(({ from, to }) => (from === a && to === b) || (from === b && to === a))
  const length = (link: Link) => (link.kind === 'conduit' ? link.lengthM : 1)
  return between.reduce((best, link) => (length(link) < length(best) ? link : best))
}
