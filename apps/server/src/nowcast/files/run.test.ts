import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCfRain } from '@radx/formats/cf-rain'
import { readNetcdfRain } from '@radx/formats/netcdf/rain-grids'
import { type Attributes, odim } from '@radx/formats/testing/odim-file'
import { showers } from '@radx/motion/testing/weather'
import { ready } from 'h5wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../cli/main.ts'
import { issuesOf, targetsOf } from './issues.ts'
import { kmPerUnit, type NowcastRunOptions, runNowcast } from './run.ts'

const shape = { nrows: 90, ncols: 110 }
const minutes = Array.from({ length: 12 }, (_, k) => 5 * k)
let folder = ''

const time = (minute: number) =>
  `${String(10 + Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}00`
const file = (minute: number, data: Float32Array, size = shape, what: Attributes = {}) =>
  odim(
    [
      {
        what: { quantity: 'RATE', nodata: -1, undetect: 0, ...what },
        data: data.map((rate) => (rate >= 0 ? rate : -1)),
        shape: [size.nrows, size.ncols],
      },
    ],
    {
      what: { date: '20240131', time: time(minute) },
      where: {
        projdef: '+proj=laea +lat_0=48 +lon_0=2 +ellps=WGS84',
        LL_lon: 2,
        LL_lat: 48,
        xsize: size.ncols,
        ysize: size.nrows,
        xscale: 1000,
        yscale: 1000,
      },
    },
  )

beforeAll(async () => {
  await ready
  folder = await mkdtemp(join(tmpdir(), 'radx-nowcast-'))
  await mkdir(join(folder, 'even'))
  const frames = showers(shape, [0.8, -0.4], minutes, 6)
  for (const [k, minute] of minutes.entries())
    await writeFile(join(folder, 'even', `${time(minute)}.h5`), file(minute, frames[k].rateMmH))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (paths: string[], more: Partial<NowcastRunOptions> = {}) =>
  runNowcast({
    paths,
    out: join(folder, 'out'),
    methods: ['persistence', 'lk'],
    leadsMin: [5, 20],
    thresholdsMmH: [0.1, 1],
    issues: 'all',
    members: 3,
    seed: 1,
    fields: false,
    keepMembers: false,
    ...more,
  })
const paths = (...names: string[]) => names.map((name) => join(folder, 'even', name))

describe('forecast from files', () => {
  test('rain that moves evenly is met, on the same issues at every lead', async () => {
    const { rows, reports } = await run([join(folder, 'even')])
    expect(reports.map(({ issue }) => issue.slice(11, 16))).toEqual([
      '10:10',
      '10:15',
      '10:20',
      '10:25',
      '10:30',
      '10:35',
    ])
    expect(rows.map(({ method, lead_min, issues }) => [method, lead_min, issues])).toEqual([
      ['persistence', 5, 6],
      ['persistence', 20, 6],
      ['lk', 5, 6],
      ['lk', 20, 6],
    ])
    expect(rows[3].csi['1']).toBeGreaterThan(0.9)
    expect(rows[1].csi['1']).toBeLessThan(0.7)
    expect(rows[3].n).toBe(rows[1].n)
  })

  test('a netCDF file of all pictures says the same, one without a plane or a date why it cannot', async () => {
    const start = Date.UTC(2024, 0, 31, 10)
    const rain = {
      ...shape,
      geometry: {
        ...{ proj4: '+proj=laea +lat_0=48 +lon_0=2 +ellps=WGS84', ...shape },
        ...{ left: 0, right: 110_000, bottom: 0, top: 90_000 },
      },
      cellM: 1000,
      timesMs: minutes.map((minute) => start + 60_000 * minute),
      dated: true,
      stepS: 300,
      rates: showers(shape, [0.8, -0.4], minutes, 6).map(({ rateMmH }) => rateMmH),
      attributes: {},
    }
    const all = join(folder, 'all.nc')
    await writeFile(all, await writeCfRain(rain))
    const [of, from] = [await run([all]), await run([join(folder, 'even')])]
    expect(of.rows.map(({ csi, n }) => [csi, n])).toEqual(from.rows.map(({ csi, n }) => [csi, n]))
    const nowhere = join(folder, 'nowhere.nc')
    await writeFile(nowhere, await writeCfRain({ ...rain, geometry: null }))
    await expect(run([nowhere])).rejects.toThrow(
      'nowhere.nc est laissé de côté : Ses images n’ont pas d’heure ou',
    )
  })

  test('the command writes scores, a report and CF-netCDF fields, also of an ensemble', async () => {
    const out = join(folder, 'command')
    const code = await main([
      'nowcast',
      join(folder, 'even'),
      '--method',
      'lk,steps',
      '--leads',
      '5,10',
      '--issues',
      '10:20',
      '--members',
      '4',
      '--seed',
      '9',
      '--window',
      '10,20,50,60',
      '--out',
      out,
    ])
    expect(code).toBe(0)
    expect((await readdir(out)).sort()).toEqual([
      'forecast-20240131T1020-lk.nc',
      'forecast-20240131T1020-steps.nc',
      'run.json',
      'scores.json',
    ])
    const scores = JSON.parse(await readFile(join(out, 'scores.json'), 'utf8'))
    expect(scores).toHaveLength(4)
    expect(scores[0]).toMatchObject({ method: 'lk', lead_min: 5, csi: { '0.1': expect.any(Number) } })
    expect(scores[0].n).toBeLessThanOrEqual(3000)
    expect(scores[2].crps).toBeLessThan(1)
    expect(scores[2].rank_histogram).toHaveLength(5)
  })

  test('files have the leads asked for, scores say by which frames', async () => {
    const out = join(folder, 'between')
    const leadsMin = [3, 5, 6, 11]
    const asked = { methods: ['lk' as const], leadsMin, issues: ['10:20'], fields: true, out }
    const { rows, reports } = await run([join(folder, 'even')], asked)
    expect(reports[0].leads_min).toEqual(leadsMin)
    expect(rows.map(({ lead_min, seen_min }) => [lead_min, seen_min])).toEqual([
      [3, 5],
      [5, 5],
      [6, 5],
      [11, 10],
    ])
    const bytes = await readFile(join(out, 'forecast-20240131T1020-lk.nc'))
    const { timesMs, rateMmH } = await readNetcdfRain(bytes)
    const issued = Date.UTC(2024, 0, 31, 10, 20)
    expect(timesMs!.map((ms) => (ms - issued) / 60_000)).toEqual(leadsMin)
    // A minute apart rain is elsewhere.
    expect(rateMmH[1]).not.toEqual(rateMmH[2])
  })

  test.each([
    ['an unknown method', ['--method', 'foo'], 64],
    ['a wrong lead', ['--leads', '0'], 64],
    ['a wrong window', ['--window', '1,2,3'], 64],
    ['a window beyond the grid', ['--window', '80,0,50,50'], 1],
    ['a moment without a frame', ['--issues', '23:00'], 1],
    ['a time that is none', ['--issues', 'noon'], 64],
    ['a file as the folder of results', ['--out', join(import.meta.dirname, 'run.ts')], 64],
    ['a time beyond the clock', ['--issues', '25:99'], 64],
    ['a day beyond the month', ['--issues', '2024-02-30T10:00'], 64],
  ])('%s is refused', async (_, args, code) => {
    expect(await main(['nowcast', join(folder, 'even'), '--out', join(folder, 'no'), ...args])).toBe(code)
  })
})

describe('bad input', () => {
  test('one frame: no forecast, with its reason', async () => {
    const { reports } = await run(paths('100000.h5'))
    expect(reports).toEqual([
      expect.objectContaining({ leads_min: [], reason: expect.stringMatching(/deux images/) }),
    ])
  })

  test('a gap of 20 min: no forecast right after it', async () => {
    const { reports } = await run(
      paths('100000.h5', '100500.h5', '102500.h5', '103000.h5', '103500.h5', '104000.h5'),
      {
        leadsMin: [5],
      },
    )
    expect(
      reports.map(({ issue, reason }) => [issue.slice(11, 16), reason && /15 min/.test(reason)]),
    ).toEqual([
      ['10:25', true],
      ['10:30', null],
      ['10:35', null],
    ])
  })

  test('folders in a folder, broken links, depths and forecasts among the files: left out, each with its reason', async () => {
    const mixed = join(folder, 'mixed')
    await mkdir(join(mixed, 'old'), { recursive: true })
    const frames = showers(shape, [0.8, -0.4], minutes, 6)
    for (const k of [0, 1, 2]) await writeFile(join(mixed, `${k}.h5`), file(minutes[k], frames[k].rateMmH))
    await symlink(join(mixed, 'gone'), join(mixed, 'link.h5'))
    // On the same grid, between and after the others.
    const depth = (minute: number, hours: number) =>
      file(minute, frames[3].rateMmH, shape, {
        quantity: 'ACRR',
        ...{ startdate: '20240131', starttime: time(minute - 60 * hours) },
        ...{ enddate: '20240131', endtime: time(minute) },
      })
    await writeFile(join(mixed, 'short.h5'), depth(15, 1 / 12))
    await writeFile(join(mixed, 'long.h5'), depth(20, 1 / 3))
    const out = join(folder, 'before')
    await run([mixed], { out, fields: true, leadsMin: [20], methods: ['lk'] })
    await copyFile(join(out, 'forecast-20240131T1010-lk.nc'), join(mixed, 'told.nc'))
    const warnings: string[] = []
    const { reports } = await run([mixed], { onWarning: (text) => warnings.push(text) })
    expect(warnings.sort()).toEqual([
      expect.stringMatching(/^link\.h5 .*ENOENT/),
      expect.stringMatching(/^long\.h5 .*cumul de 20 min/),
      expect.stringMatching(/^short\.h5 .*cumul de 5 min/),
      expect.stringMatching(/^told\.nc .*prévision/),
    ])
    expect(reports.map(({ issue, reason }) => [issue.slice(11, 16), reason])).toEqual([['10:10', null]])
  })

  test('dry and empty frames, another grid, a damaged file: said, and left out', async () => {
    const odd = join(folder, 'odd')
    await mkdir(odd, { recursive: true })
    await writeFile(join(odd, 'a.h5'), file(0, new Float32Array(9900)))
    await writeFile(join(odd, 'b.h5'), file(5, new Float32Array(9900)))
    await writeFile(join(odd, 'c.h5'), file(10, new Float32Array(9900)))
    await writeFile(join(odd, 'd.h5'), file(15, new Float32Array(9900).fill(Number.NaN)))
    await writeFile(join(odd, 'e.h5'), file(20, new Float32Array(400), { nrows: 20, ncols: 20 }))
    await writeFile(join(odd, 'f.h5'), Buffer.from('\x89HDF damaged'))
    const warnings: string[] = []
    const { reports } = await run([odd], {
      issues: ['10:10', '10:15'],
      onWarning: (text) => warnings.push(text),
    })
    expect(reports.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/aucune pluie/),
      expect.stringMatching(/aucune mesure/),
    ])
    expect(warnings.map((text) => text.slice(0, 4)).sort()).toEqual(['e.h5', 'f.h5'])
    await expect(run([join(odd, 'f.h5')])).rejects.toMatchObject({ code: 'nowcast.files' })
    await expect(run([join(odd, 'none.h5')])).rejects.toMatchObject({ code: 'nowcast.files' })
  })

  test('one frame in three missing: every forecast is made, leads without a frame are not scored', async () => {
    const names = minutes.filter((_, k) => k % 3 !== 1).map((minute) => `${time(minute)}.h5`)
    const { rows, reports } = await run(paths(...names))
    expect(reports.every(({ reason }) => reason === null)).toBe(true)
    expect(
      rows.filter(({ method }) => method === 'lk').map(({ lead_min, issues }) => [lead_min, issues]),
    ).toEqual([
      [5, 1],
      [20, 1],
    ])
    expect(rows.find((row) => row.method === 'lk' && row.lead_min === 5)!.csi['1']).toBeGreaterThan(0.9)
  })
})

test('a plane in kilometres is read as such', () => {
  expect(kmPerUnit('+proj=stere +lat_0=90 +units=m')).toBe(0.001)
  expect(kmPerUnit('+proj=stere +lat_0=90 +units=km')).toBe(1)
  expect(kmPerUnit('+proj=stere +lat_0=90 +to_meter=1000.0')).toBe(1)
})

describe('issues and targets', () => {
  const at = (...list: number[]) => list.map((minute) => minute * 60_000)

  test('a frame near a lead stands for it, at its own time', () => {
    const times = at(0, 3.43, 6.87, 10.3, 13.73)
    expect(targetsOf(times, 1, [3.5, 5, 60])).toEqual([
      { leadMin: 3.5, realMin: 3.5, seen: 2 },
      { leadMin: 5, realMin: expect.closeTo(3.44, 6), seen: 2 },
      { leadMin: 60, realMin: 60, seen: null },
    ])
  })

  test('a short series is forecast as far as it can be scored, or from its last frame', () => {
    expect(issuesOf(at(0, 5, 10, 15), [5, 60], 'all').indices).toEqual([2])
    expect(issuesOf(at(0, 5, 10), [60], 'all').indices).toEqual([2])
  })
})
