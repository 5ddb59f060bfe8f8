import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { afterAll, describe, expect, test } from 'vitest'
import { readCatchmentPackage } from '../catchment/catchment-package.ts'
import { loadRain } from '../rain/rain-source.ts'
import { writeSmallCatchment } from '../testing/small-catchment.ts'
import { OUTPUT } from './outputs.ts'
import { runSimulation } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-run-'))
afterAll(() => rmSync(root, { recursive: true }))
const catchment = await readCatchmentPackage(writeSmallCatchment(join(root, 'petit')))
/** 30 min at 90 mm/h, then an hour without rain. */
const rain = uniformRain([...new Array(30).fill(90), ...new Array(60).fill(0)], 60)
const both = { soil: true, drainage: true }
const text = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8')
const table = (dir: string, name: string) =>
  text(dir, name)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
const sum = (dir: string, name: string) =>
  readEsriAscii(text(dir, name), name).data.reduce((all, value) => all + (Number.isNaN(value) ? 0 : value), 0)

describe('a simulation and its result folder', () => {
  test('[SIMDETAIL-30] the balance closes when it is recomputed from the written files', async () => {
    const outDir = join(root, 'balance')
    const { run } = await runSimulation({ catchment, rain, options: both, outDir })
    const balance = JSON.parse(text(outDir, OUTPUT.balance))
    const rainM3 = (90 / 3.6e6) * 1800 * 95 * 100
    expect(balance.rainM3).toBeCloseTo(rainM3, 6)
    const surfaceM3 = sum(outDir, OUTPUT.finalDepth) * 100
    const infiltratedM3 = sum(outDir, OUTPUT.infiltration) * 100
    const [header, ...rows] = table(outDir, OUTPUT.flow)
    const outlet = header.indexOf('C-2')
    const pipeM3 = rows.reduce((all, row) => all + Number(row[outlet]) * 60, 0)
    expect(pipeM3).toBeGreaterThan(1)
    expect(Math.abs(pipeM3 - balance.outfallM3)).toBeLessThan(2e-3)
    const error =
      rainM3 -
      balance.interceptedM3 -
      infiltratedM3 -
      surfaceM3 -
      balance.waterM3 -
      balance.edgeOutM3 -
      balance.sewerM3 -
      balance.outfallM3
    expect(Math.abs(error) / rainM3).toBeLessThan(1e-6)
    // 2 mm on 79 garden cells (pond and streets apart), 0.5 mm on 6 houses and 10 streets; saturated by this storm.
    const codes = readEsriAscii(text(join(root, 'petit'), 'luse.asc'), 'luse.asc').data
    const kept = codes.reduce((all, code) => all + ({ 3: 2, 2: 0.5, 4: 0.5 }[code] ?? 0), 0)
    expect(balance.interceptedM3).toBeCloseTo(kept / 10, 9)
    expect(run).toMatchObject({
      simulatedSeconds: 5400,
      cells: 96,
      activeCells: 95,
      kernel: 'simd',
      threads: 1,
    })
  })

  test.each([80, 320])(
    'the 7 h storm with a peak of %i mm/h balances to 1e-6, recomputed from the written files',
    async (iMax) => {
      const outDir = join(root, `storm-${iMax}`)
      const series = virtualRain('simple', { d: 30, t: 15, iMax, calmAfter: 390 })
      await runSimulation({ catchment, rain: uniformRain(series, 60), options: both, outDir })
      const balance = JSON.parse(text(outDir, OUTPUT.balance))
      const rainM3 = (iMax / 4 / 1000) * 95 * 100
      const [header, ...rows] = table(outDir, OUTPUT.flow)
      expect(rows).toHaveLength(435)
      const outlet = header.indexOf('C-2')
      const pipeM3 = rows.reduce((all, row) => all + Number(row[outlet]) * 60, 0)
      const { interceptedM3, waterM3, edgeOutM3, sewerM3 } = balance
      const storedM3 = (sum(outDir, OUTPUT.finalDepth) + sum(outDir, OUTPUT.infiltration)) * 100
      const error = rainM3 - interceptedM3 - storedM3 - waterM3 - edgeOutM3 - sewerM3 - pipeM3
      // Flows are written to 1e-6 m3/s.
      expect(Math.abs(error)).toBeLessThan(1e-6 * rainM3 + 435 * 60 * 5e-7)
      expect(Math.abs(balance.errorM3)).toBeLessThan(1e-9 * rainM3)
    },
  )

  test('[SIMDETAIL-30] flows and depths have a line an interval of the rain, with every name', async () => {
    const outDir = join(root, 'tables')
    await runSimulation({ catchment, rain, options: both, outDir })
    const flow = table(outDir, OUTPUT.flow)
    expect(flow[0]).toEqual(['time_s', 'C-1', 'C-2'])
    expect(flow.map((row) => row[0]).slice(1)).toEqual(rain.edgesS.slice(1).toString().split(','))
    expect(table(outDir, OUTPUT.height)[0]).toEqual(['time_s', 'J-1', 'J-2', 'OUT-1'])
    const index = JSON.parse(text(outDir, OUTPUT.framesIndex))
    expect(index.frames.map((frame: { timeS: number }) => frame.timeS).slice(0, 3)).toEqual([0, 300, 600])
  })

  test('modules off: no infiltration, and gullies take nothing', async () => {
    const outDir = join(root, 'off')
    const { balance } = await runSimulation({
      catchment,
      rain,
      options: { soil: false, drainage: false },
      outDir,
    })
    expect(balance.infiltratedM3).toBe(0)
    expect(balance.outfallM3).toBe(0)
    expect(Math.abs(balance.relativeError)).toBeLessThan(1e-10)
  })

  test('drier soil before the rain takes more of it, the table’s own is the mean', async () => {
    const taken = async (soilState?: 'dry' | 'mean' | 'wet') => {
      const options = { soil: true, drainage: true, ...(soilState && { soilState }) }
      const outDir = join(root, `soil-${soilState}`)
      return (await runSimulation({ catchment, rain, options, outDir })).balance.infiltratedM3
    }
    const [dry, mean, wet] = [await taken('dry'), await taken('mean'), await taken('wet')]
    expect(dry).toBeGreaterThan(mean)
    expect(mean).toBeGreaterThan(wet)
    expect(await taken()).toBe(mean)
  })

  test('the files are the same on one thread, two and three, also where the sewer gives back', async () => {
    const storm = uniformRain([...new Array(30).fill(300), ...new Array(30).fill(0)], 60)
    const { links } = catchment.network
    // The last pipe is far too narrow for what the gullies take.
    const narrow = links.map((link): typeof link =>
      link.name === 'C-2' && link.kind === 'conduit'
        ? { ...link, section: { ...link.section, dims: [0.05, 0, 0, 0] } }
        : link,
    )
    const surcharged = { ...catchment, network: { ...catchment.network, links: narrow } }
    const written = []
    for (const threads of [1, 2, 3]) {
      const outDir = join(root, `threads-${threads}`)
      const { run } = await runSimulation({
        catchment: surcharged,
        rain: storm,
        options: both,
        threads,
        outDir,
      })
      expect(run).toMatchObject({ kernel: 'simd', threads, warnings: [] })
      const names = readdirSync(outDir).filter((name) => name !== OUTPUT.run)
      written.push(names.map((name) => [name, readFileSync(join(outDir, name), 'base64')]))
    }
    expect(written[1]).toEqual(written[0])
    expect(written[2]).toEqual(written[0])
    expect(text(join(root, 'threads-1'), OUTPUT.log)).toMatch(/pris, [1-9]\d* m³ rendus/)
  })

  test('without the compiled kernel a run is slow and says so, before it starts and in its files', async () => {
    const outDir = join(root, 'slow')
    const told: string[] = []
    const { run } = await runSimulation({
      catchment,
      rain: uniformRain([90], 60),
      options: both,
      threads: 2,
      kernelFolder: join(root, 'nothing-built'),
      outDir,
      onWarning: (warning) => told.push(warning),
    })
    expect(told).toEqual([expect.stringContaining('npm run build:kernels')])
    expect(run).toMatchObject({ kernel: 'reference', threads: 1, warnings: told })
    expect(JSON.parse(text(outDir, OUTPUT.run)).warnings).toEqual(told)
    expect(text(outDir, OUTPUT.log)).toContain(`Attention : ${told[0]}`)
  })

  test('an interrupted run leaves nothing behind', async () => {
    const outDir = join(root, 'stopped', 'run')
    const stop = new AbortController()
    const running = runSimulation({
      catchment,
      rain,
      options: both,
      outDir,
      signal: stop.signal,
      onProgress: ({ doneS }) => doneS >= 600 && stop.abort(),
    })
    await expect(running).rejects.toThrow()
    expect(existsSync(outDir)).toBe(false)
    expect(readdirSync(join(root, 'stopped'))).toEqual([])
  })

  test('a disk that fills while the results are written leaves nothing behind', async () => {
    const parent = join(root, 'full')
    const outDir = join(parent, 'run')
    const running = runSimulation({
      catchment,
      rain,
      options: both,
      outDir,
      onProgress: ({ doneS }) => {
        // From here on this file has no room.
        if (doneS === 60) symlinkSync('/dev/full', join(parent, readdirSync(parent)[0], OUTPUT.maxDepth))
      },
    })
    await expect(running).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(parent)).toEqual([])
  })

  test('a folder with files in it is not overwritten', async () => {
    const outDir = join(root, 'taken')
    mkdirSync(outDir)
    writeFileSync(join(outDir, 'notes.txt'), '')
    await expect(runSimulation({ catchment, rain, options: both, outDir })).rejects.toMatchObject({
      code: 'simulation.output',
    })
  })

  test('a code without parameters is refused', async () => {
    const landUseCodes = catchment.landUse.data.slice()
    landUseCodes[20] = 9
    const running = runSimulation({
      catchment,
      rain,
      options: both,
      landUseCodes,
      outDir: join(root, 'code'),
    })
    await expect(running).rejects.toMatchObject({ code: 'landuse.code' })
  })

  test('a rain file that is not there is named', async () => {
    const source = { kind: 'file', path: join(root, 'rien.csv') } as const
    await expect(loadRain(source, catchment.elevation, 'EPSG:2154', null)).rejects.toMatchObject({
      code: 'rain.file',
      message: expect.stringContaining('rien.csv'),
    })
  })

  test('radar rain without an archive says so instead of running dry', async () => {
    const source = { kind: 'event', event: 'ev7' } as const
    await expect(loadRain(source, catchment.elevation, 'EPSG:2154', null)).rejects.toMatchObject({
      code: 'rain.archive',
    })
  })
})
