import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { radarRain, uniformRain } from '@radx/hydrology/rain/rain'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type CatchmentPackage, readCatchmentPackage } from '../catchment/catchment-package.ts'
import { EMPTY_NETWORK } from '../catchment/package-network.ts'
import { loadRain } from '../rain/rain-source.ts'
import type { RunState } from '../state/run-state.ts'
import { decodeState, encodeState } from '../state/state-bytes.ts'
import { framesOf, readParts } from '../testing/parts.ts'
import { smallMeasures, writeSmallCatchment } from '../testing/small-catchment.ts'
import { endOf } from './intervals.ts'
import { type RunTask, runSimulation } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-resume-'))
afterAll(() => rmSync(root, { recursive: true }))
const catchment = await readCatchmentPackage(writeSmallCatchment(join(root, 'petit')))
const both = { soil: true, drainage: true }

/** The last pipe is far too narrow for what the gullies take: water comes back. */
const narrow: CatchmentPackage = {
  ...catchment,
  network: {
    ...catchment.network,
    links: catchment.network.links.map((link): typeof link =>
      link.name === 'C-2' && link.kind === 'conduit'
        ? { ...link, section: { ...link.section, dims: [0.05, 0, 0, 0] } }
        : link,
    ),
  },
}

const grid = (values: string[]) =>
  `ncols ${values.length}\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n${values.join(' ')}\n`

/** A flume without sewer, with water at the start, points that are followed, a discharge and a level. */
async function flume(): Promise<CatchmentPackage> {
  const dir = join(root, 'flume')
  mkdirSync(dir)
  const line = (x: number) => ({
    type: 'LineString',
    coordinates: [
      [x, 0],
      [x, 1],
    ],
  })
  const files = {
    'catchment.json': JSON.stringify({
      ...{ id: 'flume', display: 'Canal', crs: 'EPSG:2154', cellSize: 1, ncols: 20, nrows: 1 },
      ...{ xll: 0, yll: 0, edges: 'closed' },
    }),
    'elevation.asc': grid(new Array(20).fill('0')),
    'luse.asc': grid(new Array(20).fill('3')),
    'points.csv': 'name,x,y\namont,2.5,0.5\naval,17.5,0.5\n',
    'initial-depth.asc': grid(new Array(20).fill('0.4')),
    'boundaries.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', properties: { name: 'in', kind: 'discharge' }, geometry: line(0) },
        { type: 'Feature', properties: { name: 'out', kind: 'level' }, geometry: line(20) },
      ],
    }),
    'boundaries.csv': 'time_s,in,out\n0,0.1,0.4\n600,0.3,0.5\n',
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text)
  return readCatchmentPackage(dir)
}

/** Frames every 206 s over two radar cells, one without data for a while, and a gap. */
function radar() {
  const { elevation } = catchment
  const cells = Int32Array.from(elevation.data, (z, cell) =>
    Number.isNaN(z) ? -2 : cell % 3 === 0 ? -1 : cell % 2,
  )
  const frames = [0, 1, 2, 4, 5].map((k) => ({
    ...{ fromS: 206 * k, toS: 206 * (k + 1) },
    ratesMmH: k === 2 ? [Number.NaN, 80] : [40 * k, 120],
  }))
  return radarRain(frames, cells, { durationS: 1500, intervalS: 206 })
}

const minutes = (...rates: number[]) => uniformRain(rates, 60)
const storm = minutes(0, 0, 90, 200, 300, 300, 120, 0, 0, 0, 20, 0, 0)
const hyetogram = join(root, 'pluie.csv')
const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`
writeFileSync(
  hyetogram,
  ['date,mm/h', ...[0, 60, 180, 240, 30, 0].map((rate, k) => `${at(2 * k)},${rate}`), ''].join('\n'),
)

const measured = await readCatchmentPackage(writeSmallCatchment(join(root, 'ouvrages'), smallMeasures()))

type Kind = Omit<RunTask, 'outDir'>
const KINDS: [string, () => Promise<Kind> | Kind][] = [
  [
    'measures that store',
    () => ({ catchment: measured, options: both, rain: storm, scheme: 'inertial', intervalS: 120 }),
  ],
  [
    'virtual rain',
    () => ({
      ...{ catchment, options: both, scheme: 'auto' },
      rain: uniformRain(virtualRain('simple', { d: 8, t: 4, iMax: 200, calmAfter: 6 }), 60),
    }),
  ],
  [
    'a hyetogram of a file, drier soil, no sewer taking',
    async () => ({
      catchment,
      options: { soil: true, drainage: false, soilState: 'dry' },
      rain: await loadRain({ kind: 'file', path: hyetogram }, catchment.elevation, 'EPSG:2154', null),
    }),
  ],
  [
    'radar rain with gaps, at its own times',
    () => ({ catchment, options: both, rain: radar(), scheme: 'inertial' }),
  ],
  [
    'radar rain, frames of the results every 77 s',
    () => ({ catchment, options: both, rain: radar(), intervalS: 77 }),
  ],
  ['a sewer that gives back', () => ({ catchment: narrow, options: both, rain: storm })],
  [
    'measures: another land use and table',
    () => ({
      ...{ catchment, options: { soil: true, drainage: true, soilState: 'wet' }, rain: storm },
      landUseCodes: catchment.landUse.data.map((code) => (code === 3 ? 4 : code)),
      classes: catchment.classes.map((one) => ({ ...one, interceptionclass: 2 * one.interceptionclass })),
    }),
  ],
  ['no soil, no sewer', () => ({ catchment, options: { soil: false, drainage: false }, rain: storm })],
  ['the reference kernel', () => ({ catchment, options: both, rain: storm, kernel: 'reference' })],
  [
    'full equations, order 1',
    () => ({ catchment: narrow, options: both, rain: storm, scheme: 'full', order: 1 }),
  ],
  [
    'full equations, order 2',
    () => ({ catchment, options: both, rain: storm, scheme: 'full', intervalS: 30 }),
  ],
  [
    'water at the start, boundaries, points',
    async () => ({
      catchment: await flume(),
      options: both,
      rain: minutes(0, 30, 0, 0, 60, 0, 0),
      intervalS: 50,
    }),
  ],
]

let runs = 0
const newDir = () => join(root, `run-${runs++}`)

/** Runs from a state, or the beginning, to a moment; the state has been bytes. */
async function part(kind: Kind, from?: RunState, untilS?: number, threads?: number) {
  const outDir = newDir()
  let state: RunState | undefined
  await runSimulation({
    ...kind,
    ...{ from, untilS, threads, outDir },
    onState(kept) {
      state = decodeState(encodeState(kept), 'test')
    },
  })
  return { outDir, state: state as RunState }
}

/** Ends of all intervals of the results, the beginning included, s. */
function moments({ rain, intervalS = rain.intervalS }: Kind): number[] {
  const count = Math.ceil(rain.durationS / intervalS - 1e-9)
  return Array.from({ length: count + 1 }, (_, k) => endOf(k, intervalS, rain.durationS))
}

describe('a run cut in two, or more, is the run in one, byte for byte', () => {
  test.each(KINDS)('%s', async (_, make) => {
    const kind = await make()
    const whole = await part(kind)
    const expected = readParts([whole.outDir])
    const frames = framesOf([whole.outDir])
    const all = moments(kind)
    const end = all[all.length - 1]
    const middle = all[all.length >> 1]
    await fc.assert(
      fc.asyncProperty(fc.subarray(all, { minLength: 1, maxLength: 3 }), async (cuts) => {
        const dirs: string[] = []
        let state: RunState | undefined
        for (const [k, untilS] of [...cuts, undefined].entries()) {
          const done = await part(kind, state, untilS, 1 + (k % 2))
          dirs.push(done.outDir)
          state = done.state
        }
        const found = readParts(dirs)
        for (const [name, content] of Object.entries(expected.sinceStart))
          expect(found.sinceStart[name], name).toBe(content)
        expect(Object.keys(found.sinceStart)).toEqual(Object.keys(expected.sinceStart))
        expect(found.byTime).toEqual(expected.byTime)
        const foundFrames = framesOf(dirs)
        for (const [timeS, bytes] of frames) expect(foundFrames.get(timeS), `frame at ${timeS} s`).toBe(bytes)
        expect(Buffer.from(encodeState(state!)).equals(encodeState(whole.state))).toBe(true)
      }),
      { numRuns: 4, examples: [[[0]], [[end]], [[0, middle]]] },
    )
  })
})

describe('a run that cannot be cut or gone on with says why', () => {
  const kind: Kind = { catchment, options: both, rain: storm, scheme: 'auto' }
  const made = part(kind, undefined, 240)
  const goOn = async (more: Partial<RunTask>) => {
    const { state } = await made
    const running = runSimulation({ ...kind, scheme: undefined, from: state, outDir: newDir(), ...more })
    return running.then(
      () => 'done',
      (error: Error & { code: string }) => `${error.code}: ${error.message}`,
    )
  }

  test('it ends at the end of an interval: the nearest ones are named', async () => {
    const ending = (untilS: number) => runSimulation({ ...kind, untilS, outDir: newDir() })
    await expect(ending(250)).rejects.toThrow('Le plus proche : 240 s ou 300 s.')
    await expect(ending(9999)).rejects.toThrow('Le plus proche : 780 s.')
    expect(await goOn({ untilS: 60 })).toMatch(
      /^state.moment: 60 s .* de 240 à 780 s\). Le plus proche : 240 s ou 300 s/,
    )
  })

  test('what differs is named, and nothing is written', async () => {
    const other = await readCatchmentPackage(
      writeSmallCatchment(join(root, 'autre'), {
        'gullies.csv': 'gully,row,col,junction\nG-1,4,3,J-2\nG-2,4,8,J-2\n',
      }),
    )
    const elevation = { ...catchment.elevation, data: catchment.elevation.data.map((z) => z + 0.001) }
    const codes = catchment.landUse.data.slice()
    codes[20] = 2
    const outDir = newDir()
    const cases: [Partial<RunTask>, RegExp][] = [
      [{ catchment: other }, /^state.run: .*Ce qui diffère : les avaloirs \(gullies.csv\)\./],
      [{ catchment: narrow }, /le réseau \(network.inp\)\./],
      [{ catchment: { ...catchment, elevation } }, /le relief ou la grille/],
      [
        { catchment: { ...catchment, catchment: { ...catchment.catchment, id: 'autre' } } },
        /« petit », et non « autre »/,
      ],
      [{ landUseCodes: codes }, /diffère : l’occupation des sols\./],
      [
        { classes: catchment.classes.map((one) => ({ ...one, kh: 2 * one.kh })) },
        /les paramètres des classes/,
      ],
      [{ surfaceOptions: { cfl: 0.5 } }, /les paramètres des classes/],
      [{ options: { soil: false, drainage: true } }, /le module sol \(activé dans l’état\)/],
      [{ options: { soil: true, drainage: false } }, /le module drainage/],
      [{ options: { ...both, soilState: 'wet' } }, /l’humidité du sol avant la pluie \(moyen dans l’état\)/],
      [{ kernel: 'reference' }, /^state.engine: .*noyaux/],
      [{ scheme: 'full' }, /^state.scheme: .*--scheme auto/],
      [{ intervalS: 120 }, /^state.moment: .*au pas de 60 s, celui demandé est de 120 s/],
      [{ rain: minutes(0, 0, 90) }, /^state.moment: L’état est à 240 s, après la fin de la pluie \(180 s\)/],
    ]
    for (const [more, message] of cases) expect(await goOn({ ...more, outDir })).toMatch(message)
    expect(existsSync(outDir)).toBe(false)
    expect(await goOn({ outDir })).toBe('done')
  })

  test('the state of the end of a rain that ends within an interval is followed by no longer one', async () => {
    const rain = { ...kind, intervalS: 77 }
    const { state } = await part(rain)
    const longer = { ...rain, rain: minutes(...new Array(20).fill(30)), from: state, outDir: newDir() }
    await expect(runSimulation(longer)).rejects.toMatchObject({ code: 'state.moment' })
  })

  test('water that becomes too fast for the scheme of the state is told', async () => {
    const { elevation, landUse } = catchment
    const steep: CatchmentPackage = {
      ...catchment,
      ...{ networkText: null, network: EMPTY_NETWORK, gullies: [], nodeCells: new Int32Array(0) },
      elevation: { ...elevation, data: elevation.data.map((z, cell) => z - 0.1 * (cell % elevation.ncols)) },
      landUse: { ...landUse, data: landUse.data.map((code) => (Number.isNaN(code) ? code : 2)) },
    }
    const fast: Kind = {
      ...kind,
      catchment: steep,
      rain: minutes(0, 0, ...new Array(18).fill(2000)),
      intervalS: 5,
    }
    const { state } = await part(fast, undefined, 120)
    expect(state.about.engine).toMatchObject({ choice: 'auto', scheme: 'inertial' })
    const going = runSimulation({ ...fast, scheme: undefined, from: state, outDir: newDir() })
    await expect(going).rejects.toMatchObject({
      code: 'state.scheme',
      message: expect.stringContaining('depuis le début avec --scheme full'),
    })
    // From the beginning it takes the full equations, and a state of these goes on with them.
    const whole = await part(fast)
    const cut = await part(fast, (await part(fast, undefined, 900)).state)
    expect(cut.state.about).toEqual(whole.state.about)
    expect(whole.state.about.engine).toMatchObject({ choice: 'auto', scheme: 'full', order: 1 })
    expect(Buffer.from(encodeState(cut.state)).equals(encodeState(whole.state))).toBe(true)
  })

  test('a folder that cannot be written to is named', async () => {
    writeFileSync(join(root, 'fichier'), '')
    const outDir = join(root, 'fichier', 'sous', 'run')
    expect(await goOn({ outDir })).toMatch(/^simulation.output: Rien ne peut être écrit .*ENOTDIR/)
  })
})
