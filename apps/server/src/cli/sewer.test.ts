import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { steppingOf } from '../networks/model/stepping.ts'
import { command } from './sewer.ts'
import { runSewer } from './sewer-run.ts'

const NETWORK = `[OPTIONS]
FLOW_UNITS CFS
START_DATE 01/01/2024
END_DATE 01/01/2024
END_TIME 01:00
REPORT_STEP 00:05:00
IGNORE_RAINFALL YES
[JUNCTIONS]
J1 100 6
J2 99 6
[OUTFALLS]
O1 98 FREE NO
[CONDUITS]
C1 J1 J2 300 0.013 0 0
C2 J2 O1 300 0.013 0 0
[XSECTIONS]
C1 CIRCULAR 2
C2 CIRCULAR 2
[INFLOWS]
J1 FLOW T1
[TIMESERIES]
T1 0:00 0 0:20 30 0:40 0
[SUBCATCHMENTS]
S1 R J1 1 50 10 1 0
`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'radx-sewer-'))
  writeFileSync(join(folder, 'net.inp'), NETWORK)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8')
const rows = (name: string) =>
  read(name)
    .trim()
    .split('\n')
    .map((line) => line.split(','))

test('writes peaks, balance and series in the file’s units, and nothing else', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const code = await command.run([
    join(folder, 'net.inp'),
    '--out',
    join(folder, 'out'),
    '--series',
    'J1',
    'C2',
  ])
  expect(code).toBe(0)
  expect(log).toHaveBeenCalledOnce()
  expect(readdirSync(folder).sort()).toEqual(['net.inp', 'out'])
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'balance.json',
    'links.csv',
    'net.rpt',
    'nodes.csv',
    'run.json',
    'series.csv',
  ])
  const [head, c1] = rows('links.csv')
  expect(head.join()).toBe('link,max_abs_flow,time_s,max_velocity,max_full_depth_ratio,volume,surcharged_s')
  expect(Number(c1[1])).toBeGreaterThan(15)
  expect(Number(c1[1])).toBeLessThan(31)
  expect(rows('nodes.csv')[0].join()).toBe('node,max_depth,max_hgl,time_s,max_total_inflow,flood_volume')
  expect(JSON.parse(read('run.json'))).toMatchObject({
    simulatedSeconds: 3600,
    units: { flow: 'CFS', length: 'ft', volume: 'ft3' },
  })
  expect(rows('series.csv')[0]).toEqual([
    'time_s',
    'J1 depth',
    'J1 hgl',
    'J1 volume',
    'C2 flow',
    'C2 depth',
    'C2 velocity',
  ])
  expect(rows('series.csv')).toHaveLength(1 + 13)
})

test('the balance closes to 1e-9 when it is made again from the files', async () => {
  await runSewer({ network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [], maxStepS: 4 })
  const cubicFoot = 0.3048 ** 3
  const balance = JSON.parse(read('balance.json'))
  const inflow = 0.5 * 2400 * 30 * cubicFoot
  const out = Number(rows('links.csv')[2][5]) * cubicFoot
  const flooded = rows('nodes.csv')
    .slice(1)
    .reduce((sum, row) => sum + Number(row[5]) * cubicFoot, 0)
  expect(Math.abs(inflow - out - flooded - balance.storedM3) / inflow).toBeLessThan(1e-9)
  expect(balance.inflowM3).toBeCloseTo(inflow, 6)
  expect(balance.relativeError).toBeLessThan(1e-9)
})

test('an interruption writes what there is, and says so', async () => {
  const abort = new AbortController()
  writeFileSync(join(folder, 'long.inp'), NETWORK.replace('END_DATE 01/01/2024', 'END_DATE 12/31/2024'))
  const done = await runSewer({
    network: join(folder, 'long.inp'),
    out: join(folder, 'out'),
    series: ['J1'],
    maxStepS: 0.05,
    signal: abort.signal,
    onProgress: () => abort.abort(),
  })
  expect(done.stopped).toMatchObject({ reason: 'interrupted' })
  const { complete, simulatedSeconds, stopped } = JSON.parse(read('run.json'))
  expect({ complete, stopped: stopped.reason }).toEqual({ complete: false, stopped: 'interrupted' })
  expect(simulatedSeconds).toBeGreaterThan(0)
  expect(JSON.parse(read('balance.json')).relativeError).toBeLessThan(1e-9)
  expect(rows('links.csv')).toHaveLength(3)
})

test('old series go when the new run has none', async () => {
  const base = { network: join(folder, 'net.inp'), out: join(folder, 'out'), maxStepS: 4 }
  await runSewer({ ...base, series: ['J1'] })
  await runSewer({ ...base, series: [] })
  expect(readdirSync(join(folder, 'out'))).not.toContain('series.csv')
})

test.each([
  ['no file', ['nothing.inp', '--out', 'o'], "n'existe pas"],
  ['no folder', ['net.inp'], '--out'],
  ['a name that is none', ['net.inp', '--out', 'o', '--series', 'X9'], 'X9'],
  ['a step that is none', ['net.inp', '--out', 'o', '--step', '0'], '--step'],
])('refuses %s in words', async (_, args, word) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const paths = args.map((arg) => (arg.endsWith('.inp') || arg === 'o' ? join(folder, arg) : arg))
  await expect(command.run(paths)).rejects.toThrow(word)
  expect(readdirSync(folder)).toEqual(['net.inp'])
})

test('a series file beside the network is read', async () => {
  writeFileSync(join(folder, 'net.inp'), NETWORK.replace(/^T1 .*$/m, 'T1 FILE "flow.dat"'))
  writeFileSync(join(folder, 'flow.dat'), '0:00 0\n0:20 30\n0:40 0\n')
  await runSewer({ network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [], maxStepS: 4 })
  expect(JSON.parse(read('balance.json')).inflowM3).toBeCloseTo(0.5 * 2400 * 30 * 0.3048 ** 3, 6)
})

test('without a word about steps a network takes steps of up to 5 s, fine ones of 1 s', () => {
  expect(steppingOf({})).toEqual({ fine: false, maxStepS: undefined, implicit: false })
  expect(steppingOf({ fine: true })).toEqual({ fine: true, maxStepS: 1, implicit: true })
  expect(steppingOf({ maxStepS: 4 })).toEqual({ fine: false, maxStepS: 4, implicit: true })
  expect(steppingOf({ fine: true, maxStepS: 0.5 })).toEqual({ fine: true, maxStepS: 0.5, implicit: true })
})

test('the run says how it was stepped', async () => {
  const run = { network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [] }
  const { summary } = await runSewer(run)
  expect(summary).toContain('pas d’au plus 20 s')
  expect(JSON.parse(read('run.json'))).toMatchObject({
    fine: false,
    maxStepS: 20,
    peaksOverS: 0,
    scheme: 'explicit',
  })
  expect(JSON.parse(read('run.json')).evaluations).toBeGreaterThan(0)
  await runSewer({ ...run, fine: true })
  expect(JSON.parse(read('run.json'))).toMatchObject({
    fine: true,
    maxStepS: 1,
    peaksOverS: 5,
    scheme: 'implicit',
    unsettled: 0,
  })
  await runSewer({ ...run, maxStepS: 4 })
  expect(JSON.parse(read('run.json'))).toMatchObject({ fine: false, maxStepS: 4 })
})

const COMPLETE = `${NETWORK.replace('IGNORE_RAINFALL YES\n', '')}[RAINGAGES]
R INTENSITY 0:05 1 TIMESERIES RAIN
[SUBAREAS]
S1 0.01 0.1 0.05 0.05 25 OUTLET
[INFILTRATION]
S1 3 0.5 4 7 0
[TIMESERIES]
RAIN 0:00 1 0:05 2 0:10 1 0:15 0
`

test('rain runs off subcatchments into the sewer, unless only the pipes are asked for', async () => {
  writeFileSync(join(folder, 'rain.inp'), COMPLETE)
  const base = { network: join(folder, 'rain.inp'), out: join(folder, 'out'), series: ['S1'], maxStepS: 4 }
  await runSewer(base)
  const balance = JSON.parse(read('balance.json'))
  const acre = 43_560 * 0.3048 ** 2
  expect(balance.runoff.rainM3).toBeCloseTo((4 / 12) * 0.0254 * acre, 6)
  expect(balance.runoff.relativeError).toBeLessThan(1e-12)
  // What ran off is what came in beside the series; the rest of it is still on the way.
  expect(balance.inflowM3).toBeCloseTo(
    0.5 * 2400 * 30 * 0.3048 ** 3 + balance.runoff.runoffM3 - balance.runoff.heldM3,
    3,
  )
  expect(rows('subcatchments.csv')).toHaveLength(2)
  expect(rows('series.csv')[0]).toEqual(['time_s', 'S1 runoff'])
  await runSewer({ ...base, series: [], hydraulicsOnly: true })
  expect(readdirSync(join(folder, 'out'))).not.toContain('subcatchments.csv')
})

test('a run is compared with EPA SWMM’s report, whose doubts are shown, and reads as one itself', async () => {
  const base = { network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [], maxStepS: 4 }
  await runSewer(base)
  const report = read('net.rpt')
  writeFileSync(join(folder, 'same.rpt'), report)
  const same = (await runSewer({ ...base, compare: join(folder, 'same.rpt') })).comparison ?? ''
  expect(same).toMatch(/liens \(CFS\) : 2 communs, 2 au-dessus de 2 % du plus grand ; écart médian 0,\d\d %/)
  expect(same).not.toContain('douteux')
  expect(Math.abs(Number(rows('compare-links.csv')[1][4]))).toBeLessThan(0.1)
  const off = report.replace(/(% of Steps Not Converging +: +)0\.00/, '$135.00')
  writeFileSync(join(folder, 'off.rpt'), off)
  const doubtful = (await runSewer({ ...base, compare: join(folder, 'off.rpt') })).comparison ?? ''
  expect(doubtful).toContain('35,0 % de ses pas ne convergent pas')
  expect(doubtful).toMatch(/C1 .* douteux/)
})

test('a report of runoff alone is compared by subcatchment', async () => {
  writeFileSync(join(folder, 'rain.inp'), COMPLETE)
  const base = { network: join(folder, 'rain.inp'), out: join(folder, 'out'), series: [], maxStepS: 4 }
  await runSewer(base)
  const report = read('rain.rpt')
  const from = report.indexOf('Node Depth Summary')
  writeFileSync(join(folder, 'only.rpt'), report.slice(0, from))
  const compared = (await runSewer({ ...base, compare: join(folder, 'only.rpt') })).comparison ?? ''
  expect(compared).toMatch(/Ruissellements maximaux des bassins \(\w+\) : 1 communs/)
  expect(rows('compare-runoff-depths.csv')).toHaveLength(2)
  expect(Math.abs(Number(rows('compare-runoff-peaks.csv')[1][4]))).toBeLessThan(2)
})

test('what cannot be compared is refused before the run, not after it', async () => {
  const base = { network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [] }
  const seen: unknown[] = []
  const compared = (text: string) => {
    writeFileSync(join(folder, 'their.rpt'), text)
    const run = { ...base, compare: join(folder, 'their.rpt'), onProgress: (at: unknown) => seen.push(at) }
    return expect(runSewer(run)).rejects
  }
  await runSewer(base)
  const report = read('net.rpt')
  await compared('rien').toThrow('their.rpt')
  await compared(report.replaceAll(/^( +)(C1|C2|J1|J2|O1)\b/gm, '$1X$2')).toThrow(
    'aucun nœud, lien ni bassin de ce réseau',
  )
  expect(seen).toEqual([])
})

test('a batch runs the model once a file, and says which file is wrong', async () => {
  writeFileSync(join(folder, 'rain.inp'), COMPLETE)
  writeFileSync(join(folder, 'low.csv'), 'time_min,rain\n0,10\n15,0\n')
  writeFileSync(join(folder, 'high.csv'), 'time_min;rain;J1\n0;20,5;1\n15;0;1\n')
  writeFileSync(join(folder, 'bad.csv'), 'time_min,rain\n0,x\n')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const paths = ['low', 'high', 'bad'].map((name) => join(folder, `${name}.csv`))
  const code = await command.run([
    join(folder, 'rain.inp'),
    '--out',
    join(folder, 'out'),
    '--step',
    '4',
    '--batch',
    ...paths,
  ])
  expect(code).toBe(1)
  expect(String(log.mock.calls[0][0])).toContain('bad.csv, ligne 2 : « x » n')
  const [head, low, high, bad] = rows('batch.csv')
  expect(head.slice(0, 3)).toEqual(['name', 'rain', 'runoff_volume'])
  // 15 min of 10 mm/h, in inches.
  expect(Number(low[1])).toBeCloseTo(2.5 / 25.4, 9)
  expect(Number(high[1])).toBeCloseTo(5.125 / 25.4, 9)
  // Its own inflow stands in place of the file's: 900 ft3, and what runs off.
  expect(Number(high[3])).toBeGreaterThan(900)
  expect(Number(high[3])).toBeLessThan(2000)
  expect(bad[0]).toBe('bad')
  expect(readdirSync(join(folder, 'out', 'low'))).toContain('links.csv')
})

test('tells when the other SURCHARGE_METHOD would move results by more than 5 %', async () => {
  // Pipes of a foot for 30 cfs: they run full, and pressure decides.
  const pressed = NETWORK.replaceAll('CIRCULAR 2', 'CIRCULAR 1').replace('J2 99 6', 'J2 99 6 0 20')
  writeFileSync(join(folder, 'net.inp'), pressed)
  const warned: string[] = []
  const run = (oneMethod?: boolean) =>
    runSewer({
      network: join(folder, 'net.inp'),
      out: join(folder, 'out'),
      series: [],
      oneMethod,
      onWarning: (text) => warned.push(text),
    })
  await run()
  const { surchargeMethod, warnings } = JSON.parse(read('run.json'))
  expect(surchargeMethod).toMatchObject({ used: 'EXTRAN', other: 'SLOT', unknown: null, links: 2 })
  const told = warnings.some((text: string) => text.startsWith('SURCHARGE_METHOD'))
  expect(told).toBe(surchargeMethod.moves)
  expect(read('net.rpt').includes('WARNING: SURCHARGE_METHOD EXTRAN is followed')).toBe(surchargeMethod.moves)
  await run(true)
  expect(JSON.parse(read('run.json')).surchargeMethod).toBeUndefined()
  // Nothing runs full: there is no second run.
  writeFileSync(join(folder, 'net.inp'), NETWORK.replace('0:20 30', '0:20 1'))
  await run()
  expect(JSON.parse(read('run.json')).surchargeMethod).toMatchObject({ unknown: 'free', moves: false })
})

test('tells when a quarter of the step would move results by more than 1 %', async () => {
  // A step of a minute for a wave of twenty.
  const coarse = `${NETWORK.replace('IGNORE_RAINFALL YES', 'IGNORE_RAINFALL YES\nROUTING_STEP 60\nVARIABLE_STEP 0')}`
  writeFileSync(join(folder, 'net.inp'), coarse)
  const run = (quarterStep?: boolean) =>
    runSewer({
      network: join(folder, 'net.inp'),
      out: join(folder, 'out'),
      series: [],
      oneMethod: true,
      quarterStep,
    })
  await run(true)
  const { quarterStep, warnings } = JSON.parse(read('run.json'))
  expect(quarterStep).toMatchObject({ stepS: 60, quarterS: 15, unknown: null, links: 2, moves: true })
  expect(
    warnings.filter((text: string) => text.startsWith('Pas de calcul : avec un pas d’au plus 15 s')),
  ).toHaveLength(1)
  await run()
  expect(JSON.parse(read('run.json')).quarterStep).toBeUndefined()
})
