/** EPA SWMM 5.2.2 in WebAssembly, for checks beside our own solver. Never at run time. */
interface SwmmModule {
  FS: {
    writeFile(path: string, text: string): void
    readFile(path: string): Uint8Array
  }
  cwrap(name: string, result: string, args: string[]): (...args: string[]) => number
}

export interface EpaResult {
  /** Running time of the engine, s. */
  seconds: number
  /** Routing continuity error, %. */
  continuityPercent: number
  nonConvergingPercent: number
  /** Instants reported, s since the start. */
  timesS: Float64Array
  nodes: string[]
  links: string[]
  /** The binary file itself, and the report. */
  bytes: Uint8Array
  report: string
  /** In the file's units, [period]. */
  nodeSeries(node: number, variable: 'depth' | 'inflow' | 'flooding'): Float32Array
  linkSeries(link: number, variable: 'flow' | 'depth' | 'velocity' | 'capacity'): Float32Array
  /** Of the whole model: potential evaporation, in or mm a day. */
  evaporationSeries(): Float32Array
}

/**
 * Runs a network. Peaks are read off the reported series: ask for a short REPORT_STEP.
 * @param files what it names, by their names
 * @throws Error with EPA SWMM's report when it refuses
 */
export async function runEpa(inp: string, files: Record<string, string> = {}): Promise<EpaResult> {
  const scope = globalThis as { window?: unknown }
  scope.window ??= globalThis
  // @ts-expect-error the package has no types
  const { default: create } = await import('@fileops/swmm-wasm-web')
  const module = (await create({ print() {}, printErr() {} })) as SwmmModule
  module.FS.writeFile('/n.inp', inp)
  for (const [name, text] of Object.entries(files)) module.FS.writeFile(`/${name}`, text)
  const run = module.cwrap('swmm_run', 'number', ['string', 'string', 'string'])
  const started = performance.now()
  const code = run('/n.inp', '/n.rpt', '/n.out')
  const seconds = (performance.now() - started) / 1000
  const report = new TextDecoder('latin1').decode(module.FS.readFile('/n.rpt'))
  if (code !== 0) throw new Error(`EPA SWMM error ${code}:\n${report}`)
  const bytes = module.FS.readFile('/n.out')
  const figure = (label: RegExp) => Number(label.exec(report)?.[1] ?? Number.NaN)
  return {
    seconds,
    continuityPercent: figure(/Flow Routing Continuity[\s\S]*?Continuity Error \(%\) \.+\s+(-?[\d.]+)/),
    nonConvergingPercent: figure(/% of Steps Not Converging\s+:\s+([\d.]+)/),
    bytes,
    report,
    ...readOut(bytes),
  }
}

/** The binary results of SWMM 5 (SWMM interface guide), without subcatchments or pollutants. */
export function readOut(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const int = (at: number) => view.getInt32(at, true)
  const end = bytes.byteLength
  const names = int(end - 24)
  const results = int(end - 16)
  const periods = int(end - 12)
  const [subcatchments, nodeCount, linkCount] = [int(12), int(16), int(20)]
  let at = names
  const ids: string[] = []
  for (let i = 0; i < subcatchments + nodeCount + linkCount; i++) {
    const length = int(at)
    ids.push(new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + length)))
    at += 4 + length
  }
  const NODE = { depth: 0, inflow: 4, flooding: 5 }
  const LINK = { flow: 0, depth: 1, velocity: 2, capacity: 4 }
  const size = 8 + 4 * (subcatchments * 8 + nodeCount * 6 + linkCount * 5 + 15)
  const start = (period: number) => results + period * size
  /** Of the 15 figures of the whole model, the last one. */
  const EVAPORATION_AT = size - 4
  const timesS = Float64Array.from({ length: periods }, (_, k) => view.getFloat64(start(k), true))
  const step = periods > 1 ? timesS[1] - timesS[0] : 0
  const first = timesS[0] - step
  return {
    timesS: timesS.map((day) => (day - first) * 86400),
    evaporationSeries: () =>
      Float32Array.from({ length: periods }, (_, k) => view.getFloat32(start(k) + EVAPORATION_AT, true)),
    nodes: ids.slice(subcatchments, subcatchments + nodeCount),
    links: ids.slice(subcatchments + nodeCount),
    nodeSeries: (node: number, variable: keyof typeof NODE) =>
      Float32Array.from({ length: periods }, (_, k) =>
        view.getFloat32(start(k) + 8 + 4 * (subcatchments * 8 + node * 6 + NODE[variable]), true),
      ),
    linkSeries: (link: number, variable: keyof typeof LINK) =>
      Float32Array.from({ length: periods }, (_, k) =>
        view.getFloat32(
          start(k) + 8 + 4 * (subcatchments * 8 + nodeCount * 6 + link * 5 + LINK[variable]),
          true,
        ),
      ),
  }
}

/** The file with these options in place of its own. */
export function withOptions(inp: string, options: Record<string, string | number>): string {
  let text = inp
  for (const [name, value] of Object.entries(options)) {
    const line = new RegExp(`^[ \\t]*${name}[ \\t].*$`, 'mi')
    text = line.test(text)
      ? text.replace(line, `${name} ${value}`)
      : text.replace(/^\[OPTIONS\].*$/im, `[OPTIONS]\n${name} ${value}`)
  }
  return text
}
