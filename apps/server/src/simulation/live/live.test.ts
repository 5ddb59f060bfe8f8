import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LiveSetting } from '@radx/contracts'
import { uniformRain } from '@radx/hydrology/rain/rain'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'
import { OUTPUT } from '../run/outputs.ts'
import { type RunTask, runSimulation } from '../run/run.ts'
import type { RunState } from '../state/run-state.ts'
import { decodeState, encodeState } from '../state/state-bytes.ts'
import { writeSmallCatchment } from '../testing/small-catchment.ts'
import { LiveEngine, type LiveSetup } from './engine.ts'
import { forecastOf } from './forecast.ts'
import { runMembers } from './members.ts'
import { type RainData, rainOf } from './rain-data.ts'
import { withSettings } from './start.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-live-'))
afterAll(() => rmSync(root, { recursive: true }))
const read = await readCatchmentPackage(writeSmallCatchment(join(root, 'petit')))
/** The last pipe is far too narrow for what the gullies take. */
const catchment = {
  ...read,
  network: {
    ...read.network,
    links: read.network.links.map((link): typeof link =>
      link.name === 'C-2' && link.kind === 'conduit'
        ? { ...link, section: { ...link.section, dims: [0.05, 0, 0, 0] } }
        : link,
    ),
  },
}
const options = { soil: true, drainage: true }
const setup: LiveSetup = { catchment, options, scheme: 'inertial' }
const storm = [0, 0, 120, 300, 300, 200, 40, 0, 0, 0]
const observed = uniformRain(storm, 60)
const bytes = (state: RunState) => Buffer.from(encodeState(state)).toString('base64')

/** Rain of a member: what was observed for three minutes, then a storm of its own. */
const memberRain = (k: number): RainData => ({
  kind: 'uniform',
  ratesMmH: [...storm.slice(0, 3), ...[0, 1, 2, 3].map((minute) => (500 + 200 * k) * (1 + (minute % 2)))],
  intervalS: 60,
})
const horizon = { untilS: 900, everyS: 240 }

describe('a state that is carried on', () => {
  const engine = new LiveEngine(setup)
  afterAll(() => engine.dispose())

  test('frame after frame is as carried on at once, whatever was computed between, and as the run is', async () => {
    const ends = fc.subarray([60, 180, 206, 300, 480], { minLength: 1 })
    const once = bytes(engine.carryOn(engine.start(), observed, 600))
    fc.assert(
      fc.property(ends, fc.nat(3), (cuts, k) => {
        // Each end is one of a step, so that both are carried on to the same ones.
        const stops = [...cuts, 600]
        let state = engine.start()
        for (const untilS of stops) {
          state = decodeState(encodeState(engine.carryOn(state, observed, untilS)), 'kept')
          engine.member(state, rainOf(memberRain(k)), { untilS: untilS + 120, everyS: 60 })
        }
        const other = new LiveEngine(setup)
        let plain = other.start()
        for (const untilS of stops) plain = other.carryOn(plain, observed, untilS)
        other.dispose()
        expect(bytes(state) === bytes(plain)).toBe(true)
      }),
      { numRuns: 5 },
    )
    expect(bytes(engine.carryOn(engine.start(), observed, 600)) === once).toBe(true)
    let run: RunState | undefined
    await runSimulation({
      ...{ catchment, options, rain: observed, scheme: 'inertial', intervalS: 600 },
      ...{
        outDir: join(root, 'run'),
        onState: (state) => {
          run = state
        },
      },
    })
    const own = engine.carryOn(engine.start(), observed, 600)
    // Beside that a run describes its links and sums up the means of its intervals.
    const flow = (state: RunState) =>
      state.engine.sections
        .filter(({ name }) => /^(surface|sewer\.arrays|sewer\.reaches)\./.test(name))
        .map(({ name, values }) => [name, Buffer.from(values.buffer as ArrayBuffer).toString('hex')])
    expect(flow(own).length).toBeGreaterThan(30)
    const other = new Map(flow(run!).map(([name, values]) => [name, values]))
    expect(
      flow(own)
        .filter(([name, values]) => other.get(name) !== values)
        .map(([name]) => name),
    ).toEqual([])
  })

  test('after the end of the rain it drains; the past cannot be asked for', () => {
    const wet = engine.carryOn(engine.start(), observed, 600)
    const dry = engine.carryOn(wet, observed, 7200)
    const stored = (state: RunState) =>
      state.engine.sections.find(({ name }) => name === 'sewer.arrays.volume')!.values
    const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, value) => all + value, 0)
    expect(sum(stored(dry))).toBeLessThan(sum(stored(wet)))
    expect(() => engine.carryOn(dry, observed, 600)).toThrow(
      expect.objectContaining({ code: 'state.moment' }),
    )
  })

  test('the state of another catchment or scheme is refused', () => {
    const other = new LiveEngine({ ...setup, options: { soil: false, drainage: true } })
    const full = new LiveEngine({ ...setup, scheme: 'full', order: 1 })
    for (const [one, code] of [
      [other, 'state.run'],
      [full, 'state.scheme'],
    ] as const) {
      expect(() => engine.carryOn(one.start(), observed, 60)).toThrow(expect.objectContaining({ code }))
      one.dispose()
    }
  })
})

describe('a run that begins with the water of a state', () => {
  const engine = new LiveEngine(setup)
  afterAll(() => engine.dispose())
  const state = engine.carryOn(engine.start(), observed, 300)
  const left = uniformRain(storm.slice(5), 60)
  const folder = (name: string) => join(root, name)
  const runFrom = async (name: string, task: Partial<RunTask> = {}, settings: LiveSetting[] = []) => {
    const outDir = folder(name)
    const links = new Map(catchment.network.links.map((link, k) => [link.name, k]))
    const set = settings.map(({ name: link, setting }) => ({ link: links.get(link)!, setting }))
    const { balance } = await runSimulation({
      ...{
        catchment: withSettings(catchment, settings),
        options,
        rain: left,
        scheme: 'inertial',
        intervalS: 60,
      },
      ...{ outDir, begin: { engine: state.engine, settings: set }, ...task },
    })
    const depths = readFileSync(join(outDir, OUTPUT.finalDepth), 'utf8')
    return { balance, depths, nodes: readFileSync(join(outDir, OUTPUT.sewerNodes), 'utf8') }
  }

  test('unchanged it goes where the forecast goes, and counts from there', async () => {
    const { balance, depths } = await runFrom('as-it-is')
    const on = engine.depths(engine.carryOn(state, observed, 600))
    const own = depths
      .trim()
      .split('\n')
      .slice(6)
      .flatMap((row) => row.trim().split(/\s+/).map(Number))
    expect(own).toHaveLength(on.length)
    for (const [cell, depthM] of own.entries())
      if (on[cell] !== 65_535) expect(Math.abs(1000 * depthM - on[cell])).toBeLessThan(2)
    const cells = on.filter((mm) => mm !== 65_535).length
    const side = catchment.elevation.cellSize
    const mm = storm.slice(5).reduce((sum, rate) => sum + rate / 60, 0)
    expect(balance.rainM3).toBeCloseTo((cells * side ** 2 * mm) / 1000, 3)
    expect(balance.initialM3).toBeGreaterThan(1)
    expect(Math.abs(balance.relativeError)).toBeLessThan(1e-6)
  })

  test('a pipe that is shut and another ground change it, and the water is still balanced', async () => {
    const plain = await runFrom('plain')
    const shut = await runFrom('shut', {}, [{ name: 'C-1', setting: 0 }])
    expect(shut.nodes).not.toBe(plain.nodes)
    expect(shut.balance.outfallM3).toBeLessThan(plain.balance.outfallM3)
    // What was road becomes grass.
    const landUseCodes = Float64Array.from(catchment.landUse.data, (code) => (code === 2 ? 3 : code))
    const green = await runFrom('green', { landUseCodes })
    expect(green.balance.infiltratedM3).toBeGreaterThan(plain.balance.infiltratedM3 + 0.1)
    for (const { balance } of [shut, green]) expect(Math.abs(balance.relativeError)).toBeLessThan(1e-6)
  })

  test('the state of another network is refused', async () => {
    const links = catchment.network.links.slice(0, -1)
    const other = { ...catchment, network: { ...catchment.network, links } }
    await expect(runFrom('other', { catchment: other })).rejects.toMatchObject({ code: 'state.layout' })
  })
})

describe('members from one state', () => {
  const engine = new LiveEngine(setup)
  afterAll(() => engine.dispose())
  const state = engine.carryOn(engine.start(), observed, 180)
  const rains = [0, 1, 2, 3, 4].map(memberRain)
  const alone = rains.map((rain) => engine.member(state, rainOf(rain), horizon))

  test.each([1, 2])('in %i threads each does what it does alone', async (threads) => {
    const courses = await runMembers({ setup, state, rains, horizon, threads })
    for (const [k, course] of courses.entries()) expect(course).toEqual(alone[k])
    expect(courses).toHaveLength(alone.length)
  })

  test('what a member throws ends all of them; so does a signal', async () => {
    const bad: RainData = { kind: 'uniform', ratesMmH: [-1], intervalS: 60 }
    const failing = runMembers({ setup, state, rains: [rains[0], bad, rains[1]], horizon, threads: 2 })
    await expect(failing).rejects.toMatchObject({ code: 'rain.range', status: 422 })
    const stop = new AbortController()
    const stopping = runMembers({ setup, state, rains, horizon, threads: 2, signal: stop.signal })
    stop.abort(new Error('late'))
    await expect(stopping).rejects.toThrow('late')
  })

  test('quantiles and probabilities: more rain, more water; each counts its members', () => {
    const moments = forecastOf(alone)
    expect(moments.map(({ timeS }) => timeS)).toEqual([420, 660, 900])
    for (const [k, moment] of moments.entries()) {
      const cell = 4 * 12 + 8
      const depths = alone.map(({ depthsMm }) => depthsMm[k][cell]).sort((a, b) => a - b)
      expect(moment.depthMm[1][cell]).toBe(depths[2])
      expect(moment.exceedance[0][cell]).toBe(20 * depths.filter((mm) => mm > 50).length)
      expect(moment.depthMm[0][0]).toBe(65_535)
      expect(moment.exceedance[2][0]).toBe(255)
      const heads = alone.map(({ headsM }) => headsM[k][1]).sort((a, b) => a - b)
      expect(moment.nodes.headM[1][1]).toBe(heads[2])
      expect(moment.links.full[1]).toBe(20 * alone.filter(({ fillings }) => fillings[k][1] >= 1).length)
      const spilt = alone.filter(({ overflowsM3 }) => overflowsM3[k].some((volume) => volume >= 0.01)).length
      expect(Math.max(...moment.nodes.overflows)).toBeLessThanOrEqual(20 * spilt)
    }
    // Above the narrow pipe the sewer runs full in all of them, and the heaviest rains bring water back.
    expect(moments.some(({ links }) => links.full[0] === 100)).toBe(true)
    expect(moments.some(({ nodes }) => nodes.overflows.some((share) => share > 0))).toBe(true)
    expect(() => forecastOf([])).toThrow(RangeError)
    expect(() => forecastOf([alone[0], { ...alone[1], timesS: [1, 2, 3] }])).toThrow(RangeError)
  })
})

test('radar rain goes to a thread as it is', async () => {
  const frames = [0, 1, 2].map((k) => ({ fromS: 206 * k, toS: 206 * (k + 1), ratesMmH: [60, 40 * k] }))
  const cellOfModel = Int32Array.from(catchment.elevation.data, (_, cell) => cell % 2)
  const rain: RainData = { kind: 'radar', frames, cellOfModel, durationS: 618, intervalS: 206 }
  const engine = new LiveEngine(setup)
  const state = engine.start()
  const [course] = await runMembers({ setup, state, rains: [rain], horizon, threads: 4 })
  expect(course).toEqual(engine.member(state, rainOf(rain), horizon))
  engine.dispose()
})
