import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SewerNetwork } from '@radx/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { command } from './sewer.ts'
import { runSewer, steppingOf } from './sewer-run.ts'

const NETWORK = `[OPTIONS]
FLOW_UNITS CFS
START_DATE 01/01/2024
END_DATE 01/01/2024
END_TIME 01:00
REPORT_STEP 00:05:00
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

test('an interruption leaves nothing behind', async () => {
  const abort = new AbortController()
  writeFileSync(join(folder, 'long.inp'), NETWORK.replace('END_DATE 01/01/2024', 'END_DATE 12/31/2024'))
  const done = runSewer({
    network: join(folder, 'long.inp'),
    out: join(folder, 'out'),
    series: [],
    maxStepS: 0.05,
    signal: abort.signal,
    onProgress: () => abort.abort(),
  })
  expect(await done).toBeNull()
  expect(readdirSync(folder).sort()).toEqual(['long.inp', 'net.inp'])
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

test('without a word about steps a network is calculated as closely as a few seconds allow', () => {
  const network = (nodes: number, hours: number) =>
    ({
      nodes: Array.from({ length: nodes }),
      options: { durationS: hours * 3600 },
    }) as unknown as SewerNetwork
  expect(steppingOf(network(1020, 4), {})).toEqual({ fine: true, maxStepS: 1 })
  expect(steppingOf(network(2200, 7), {})).toEqual({ fine: false, maxStepS: 4 })
  expect(steppingOf(network(2200, 7), { fine: true })).toEqual({ fine: true, maxStepS: 1 })
  expect(steppingOf(network(10, 1), { maxStepS: 5 })).toEqual({ fine: false, maxStepS: 5 })
  expect(steppingOf(network(10, 1), { fine: true, maxStepS: 0.5 })).toEqual({ fine: true, maxStepS: 0.5 })
})

test('the run says how it was stepped', async () => {
  const run = { network: join(folder, 'net.inp'), out: join(folder, 'out'), series: [] }
  const { summary } = (await runSewer(run)) as { summary: string }
  expect(summary).toContain('pas d’au plus 1 s')
  expect(JSON.parse(read('run.json'))).toMatchObject({ fine: true, maxStepS: 1 })
  await runSewer({ ...run, maxStepS: 4 })
  expect(JSON.parse(read('run.json'))).toMatchObject({ fine: false, maxStepS: 4 })
})
