import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type CellSeries,
  DEPTH_FRAME_NO_DATA,
  type FloodCourse,
  OUTPUT_MAX_DEPTH,
  type RainFrames,
  RUN_MAP_NAMES,
  RUN_MAPS,
  type RunFigures,
  type RunFlows,
  SEWER_FULL,
  type SectionFlow,
  type SewerMoments,
  type SewerPeakTable,
  type StreetDepths,
  TOWN_NO_CLASS,
  TOWN_OUTSIDE,
  type Town,
} from '@radx/contracts'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { NO_MODEL_CELL, radarRain, uniformRain } from '@radx/hydrology/rain/rain'
import { fromArrayBuffer } from 'geotiff'
import proj4 from 'proj4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../http/app.ts'
import { createApp } from '../../http/create-app.ts'
import type { Session } from '../../http/sessions.ts'
import { jobOutput } from '../../jobs/output.ts'
import { CHECKSUMS, sealFolder } from '../../store/folder-checksums.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { handleOf, testConfig, testDeps } from '../../testing/deps.ts'
import { CatchmentLibrary } from '../catchment/library.ts'
import { projectionOf } from '../catchment/projection.ts'
import { MULTIHYDRO } from '../multihydro.ts'
import { registerSimulation } from '../routes.ts'
import { keptName, OUTPUT } from '../run/outputs.ts'
import { writeRain } from '../run/rain-frames.ts'
import { runSimulation } from '../run/run.ts'
import { SMALL_CATCHMENT, writeSmallCatchment } from '../testing/small-catchment.ts'

const RUN = '00000000-0000-4000-8000-00000000000a'
const REFERENCE = '00000000-0000-4000-8000-00000000000b'
const GONE = '00000000-0000-4000-8000-00000000000f'
const SESSION: Session = { userId: 'u', name: 'ursule', roles: [], restriction: null }
/** 95 cells of 100 m2. */
const AREA_M2 = 9_500

describe('water depths of a finished run', () => {
  let database: TestDatabase
  let app: App
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-depth-'))
  const file = (name: string, id = RUN) => join(dataDir, jobOutput(id), name)

  beforeAll(async () => {
    database = await createTestDatabase()
    const deps = await testDeps({
      config: testConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url }),
      database: handleOf(database),
      sessions: { resolve: async (token: string) => (token === 'u' ? SESSION : null) },
    })
    const town = { ...JSON.parse(SMALL_CATCHMENT['catchment.json']), xll: 674_000, yll: 6_827_000 }
    const moved = Object.fromEntries(
      Object.entries(SMALL_CATCHMENT).map(([name, text]) => [
        name,
        text.replace('xllcorner 1000', 'xllcorner 674000').replace('yllcorner 2000', 'yllcorner 6827000'),
      ]),
    )
    const network = SMALL_CATCHMENT['network.inp'].replace(
      /^(J-1|J-2|OUT-1) (1\d{3}) 2035$/gm,
      (_, name, x) => `${name} ${Number(x) + 673_000} 6827035`,
    )
    writeSmallCatchment(join(dataDir, 'package'), {
      ...moved,
      'catchment.json': JSON.stringify(town),
      'network.inp': network,
      'streets.geojson': JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: { name: 'Grande Rue' },
            geometry: {
              type: 'LineString',
              coordinates: [
                [674_005, 6_827_035],
                [674_115, 6_827_035],
              ],
            },
          },
        ],
      }),
    })
    const library = new CatchmentLibrary(deps.db, deps.config)
    await library.import(join(dataDir, 'package'))
    const catchment = await library.get('petit')
    for (const [id, title, drainage] of [
      [RUN, 'Sans égouts', false],
      [REFERENCE, 'Avec égouts', true],
    ] as const) {
      const outDir = join(dataDir, jobOutput(id))
      mkdirSync(join(outDir, '..'), { recursive: true })
      // 30 min at 90 mm/h, then 12 min without rain: frames every 5 min and one at the end.
      const rain = uniformRain([...new Array(30).fill(90), ...new Array(12).fill(0)], 60)
      const { balance, run } = await runSimulation({
        catchment,
        rain,
        options: { soil: true, drainage },
        outDir,
      })
      const input = {
        title,
        catchmentId: 'petit',
        catchmentDisplay: 'Petit bassin',
        rainfallSelection: 'virtual',
      }
      await deps.db
        .insertInto('job')
        .values({
          id,
          kind: MULTIHYDRO,
          username: 'ursule',
          input: JSON.stringify(input),
          status: 'done',
          result: JSON.stringify({ balance, run }) as never,
        })
        .execute()
    }
    app = await createApp(deps, { features: [registerSimulation] })
  })
  afterAll(async () => {
    await app?.close()
    await database?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.inject({
      url: `/api/multihydro/file/${path}`,
      headers: { authorization: 'Bearer u', ...headers },
    })

  test('[DEPTH-12] the largest depths come with the place of their grid, nothing outside', async () => {
    const body = (await ask(`${RUN}/output?outputType=${OUTPUT_MAX_DEPTH}`)).json()
    expect([body.data.length, body.data[0].length, body.data[0][0]]).toEqual([8, 12, null])
    const { place } = body
    expect(place).toMatchObject({
      nrows: 8,
      ncols: 12,
      cellSizeM: 10,
      crs: 'EPSG:2154',
      xll: 674_000,
      yll: 6_827_000,
    })
    const [x, y] = proj4('WGS84', projectionOf('EPSG:2154')).forward(place.corners.ne)
    expect(x).toBeCloseTo(674_120, 1)
    expect(y).toBeCloseTo(6_827_080, 1)
  })

  test('depth frames come in the encoding that the client takes, and hold what the run wrote', async () => {
    const index = (await ask(`${RUN}/depth`)).json()
    expect(index.timesS).toEqual([0, 300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2520])
    expect(index.place).toMatchObject({ nrows: 8, ncols: 12 })
    const path = `${RUN}/depth/frames?from=8&to=10`
    const [plain, zstd, gzip] = await Promise.all([
      ask(path),
      ask(path, { 'accept-encoding': 'zstd, gzip' }),
      ask(path, { 'accept-encoding': 'gzip' }),
    ])
    expect(zstd.headers['content-encoding']).toBe('zstd')
    expect(zstdDecompressSync(zstd.rawPayload)).toEqual(plain.rawPayload)
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload)
    const depths = new Uint16Array(Uint8Array.from(plain.rawPayload).buffer)
    expect(depths).toHaveLength(2 * 96)
    expect(depths[96]).toBe(DEPTH_FRAME_NO_DATA)
    const final = readEsriAscii(readFileSync(file(OUTPUT.finalDepth), 'utf8'), 'final').data
    for (let k = 1; k < 96; k++) expect(Math.abs(depths[96 + k] - 1000 * final[k])).toBeLessThanOrEqual(0.51)
    for (const [query, status] of [
      ['from=10&to=11', 400],
      ['from=3&to=3', 400],
      ['from=0&to=25', 400],
    ])
      expect((await ask(`${RUN}/depth/frames?${query}`)).statusCode).toBe(status)
  })

  test('the ground of a town comes as numbers and cells, and one that is not here is not found', async () => {
    const town = async (path: string) =>
      app.inject({ url: `/api/multihydro/${path}`, headers: { authorization: 'Bearer u' } })
    const { place, elevation, classes, waterCode } = (await town('petit/town')).json<Town>()
    expect([place.nrows, place.ncols, waterCode]).toEqual([8, 12, 6])
    const bytes = Uint8Array.from((await town('petit/town/grid')).rawPayload)
    expect(bytes).toHaveLength(3 * 96)
    const heights = new Uint16Array(bytes.buffer, 0, 96)
    expect([heights[0], bytes[192]]).toEqual([TOWN_OUTSIDE, TOWN_NO_CLASS])
    const { data } = readEsriAscii(readFileSync(join(dataDir, 'package/elevation.asc'), 'utf8'), 'elevation')
    const luse = readEsriAscii(readFileSync(join(dataDir, 'package/luse.asc'), 'utf8'), 'luse').data
    for (let k = 1; k < 96; k++) {
      expect(elevation.minM + elevation.stepM * heights[k]).toBeCloseTo(data[k], 3)
      expect(classes[bytes[192 + k]].code).toBe(luse[k])
    }
    for (const path of ['nulle-part/town', `petit/town?luseId=${GONE}`, `petit/town/grid?luseId=${GONE}`])
      expect((await town(path)).statusCode, path).toBe(404)
  })

  test('a street that stayed shallow is not told, but the catchment names its streets', async () => {
    expect((await ask(`${RUN}/streets`)).json<StreetDepths>()).toEqual({
      limitsM: [0.1, 0.2],
      named: true,
      streets: [],
    })
  })

  test('the figures of a run are those of its files; sewers that took nothing have none', async () => {
    const figures = (await ask(`${REFERENCE}/figures`)).json<RunFigures>()
    const depths = readEsriAscii(readFileSync(file(OUTPUT.maxDepth, REFERENCE), 'utf8'), 'depth').data
    const most = depths.reduce((best, depth) => Math.max(best, Number.isNaN(depth) ? 0 : depth), 0)
    const { deepest, flooded, sewer, outfallPeak } = figures
    expect([deepest?.depthM, depths[(deepest?.row ?? 0) * 12 + (deepest?.col ?? 0)]]).toEqual([most, most])
    for (const { fromM, areaM2 } of flooded)
      expect(areaM2).toBe(100 * depths.filter((depth) => depth >= fromM).length)
    expect(figures.rainMm).toBeCloseTo(45, 3)
    expect(figures.rainPeak).toMatchObject({ rateMmH: expect.closeTo(90, 6), meanS: 300 })
    expect(figures.durationS).toBe(2520)
    const course = (await ask(`${REFERENCE}/course`)).json<FloodCourse>()
    expect(outfallPeak?.flowM3S).toBe(Math.max(...course.outfallM3S))
    expect(sewer?.outfallM3).toBeCloseTo(course.outfallM3[9], 3)
    const table = (await ask(`${REFERENCE}/sewer`)).json<SewerPeakTable>()
    expect([table.nodes.name, table.links.name.length]).toEqual([['J-1', 'J-2', 'OUT-1'], sewer?.links])
    expect(sewer?.surcharged).toBe(table.links.surchargedS.filter((seconds) => seconds > 0).length)
    // What is kept as numbers may be damaged or missing, as it is of runs of before: the file itself says the same.
    const kept = file(keptName(OUTPUT.maxDepth), REFERENCE)
    for (const spoil of [() => truncateSync(kept, 30), () => rmSync(kept)]) {
      spoil()
      expect((await ask(`${REFERENCE}/figures`)).json<RunFigures>()).toEqual(figures)
    }
    expect((await ask(`${RUN}/figures`)).json<RunFigures>()).toMatchObject({
      sewer: { overflowing: 0, surcharged: 0, outfallM3: 0, largestOutfall: null },
      outfallPeak: null,
    })
  })

  test('rain that fell cell by cell is kept and given out, what the radar did not see as unknown; other runs have none', async () => {
    const model = readEsriAscii(readFileSync(join(dataDir, 'package/elevation.asc'), 'utf8'), 'elevation')
    // Two cells of the radar, the western and the eastern half; nothing was seen for the second five minutes.
    const cellOfModel = Int32Array.from(model.data, (z, k) =>
      Number.isNaN(z) ? NO_MODEL_CELL : k % 12 < 6 ? 0 : 1,
    )
    const frames = [
      { fromS: 0, toS: 300, ratesMmH: [30, Number.NaN] },
      { fromS: 600, toS: 2520, ratesMmH: [0.4, 0.39] },
    ]
    const rain = radarRain(frames, cellOfModel, { durationS: 2520, intervalS: 300 })
    const dir = join(dataDir, jobOutput(REFERENCE))
    writeRain(dir, rain, model)
    const index = (await ask(`${REFERENCE}/rain`)).json<RainFrames>()
    expect(index.timesS).toEqual([0, 300, 600])
    expect(index.missing).toEqual([expect.closeTo(48 / 95, 6), 1, 0])
    const answer = await ask(`${REFERENCE}/rain/frames?from=0&to=3`)
    const codes = new Uint16Array(Uint8Array.from(answer.rawPayload).buffer)
    const row = (frame: number, from: number) => [
      ...codes.subarray(96 * frame + 12 + from, 96 * frame + 14 + from),
    ]
    expect([row(0, 0), row(0, 10)]).toEqual([
      [300, 300],
      [DEPTH_FRAME_NO_DATA, DEPTH_FRAME_NO_DATA],
    ])
    expect(row(1, 0)).toEqual([DEPTH_FRAME_NO_DATA, DEPTH_FRAME_NO_DATA])
    // A rate below a class stays below it.
    expect([row(2, 0), row(2, 10)]).toEqual([
      [4, 4],
      [3, 3],
    ])
    expect(codes[0]).toBe(DEPTH_FRAME_NO_DATA)
    // As a file, the rain that holds at the moment.
    const tiff = Uint8Array.from((await ask(`${REFERENCE}/rain/geotiff?at=700`)).rawPayload)
    const image = await (await fromArrayBuffer(tiff.buffer as ArrayBuffer)).getImage()
    const [band] = (await image.readRasters()) as unknown as Float32Array[]
    expect([band[12], band[22], band[0]]).toEqual([expect.closeTo(0.4, 6), expect.closeTo(0.3, 6), -9999])
    expect((await ask(`${RUN}/rain`)).statusCode).toBe(404)
    expect((await ask(`${RUN}/rain/frames?from=0&to=1`)).statusCode).toBe(404)
    writeRain(join(dataDir, jobOutput(RUN)), uniformRain([1], 60), model)
    expect((await ask(`${RUN}/rain`)).statusCode).toBe(404)
  })

  test('the network over time is that of its own file, and flows are those of the course', async () => {
    const index = (await ask(`${REFERENCE}/sewer/moments`)).json<SewerMoments>()
    const peaks = (await ask(`${REFERENCE}/sewer`)).json<SewerPeakTable>()
    expect([index.links, index.nodes]).toEqual([peaks.links.name, peaks.nodes.name])
    expect(index.timesS).toEqual(Array.from({ length: 42 }, (_, k) => 60 * (k + 1)))
    const codes = (await ask(`${REFERENCE}/sewer/moments/codes`)).rawPayload
    const width = index.links.length + index.nodes.length
    expect(codes).toHaveLength(42 * width)
    index.links.forEach((_, k) => {
      const most = Math.max(...index.timesS.map((_, m) => codes[m * width + k]))
      expect(most).toBeGreaterThan(0)
      // Peaks are looked for at every step, not only at the end of each minute.
      if (most < SEWER_FULL) expect(most / 100).toBeLessThanOrEqual(peaks.links.filling[k] + 1e-6)
      else expect(peaks.links.surchargedS[k]).toBeGreaterThan(0)
    })
    const { limitsM: _, floodedM2: __, ...course } = (await ask(`${REFERENCE}/course`)).json<FloodCourse>()
    const flows = (await ask(`${REFERENCE}/flows`)).json<RunFlows>()
    expect(flows.timesS).toEqual(course.timesS)
    expect(flows.outfallM3S).toEqual(course.outfallM3S)
    flows.rainMmH.forEach((rate, k) => {
      expect(rate).toBeCloseTo(course.rainMmH[k], 6)
    })
  })

  test('each map of a run comes as numbers and as GeoTIFF, and a cell as a series', async () => {
    const depths = readEsriAscii(readFileSync(file(OUTPUT.maxDepth), 'utf8'), 'depth').data
    for (const map of RUN_MAP_NAMES) {
      const answer = await ask(`${RUN}/map/${map}`)
      expect([map, answer.statusCode, answer.rawPayload.length]).toEqual([map, 200, 192])
      const codes = new Uint16Array(Uint8Array.from(answer.rawPayload).buffer)
      expect(codes[0]).toBe(TOWN_OUTSIDE)
      const tiff = Uint8Array.from((await ask(`${RUN}/map/${map}/geotiff`)).rawPayload)
      const image = await (await fromArrayBuffer(tiff.buffer as ArrayBuffer)).getImage()
      const [band] = (await image.readRasters()) as unknown as Float32Array[]
      const { perUnit } = RUN_MAPS[map]
      for (let k = 1; k < 96; k++)
        if (codes[k] !== TOWN_OUTSIDE) expect(Math.abs(codes[k] - band[k] * perUnit)).toBeLessThan(0.51)
      if (map === 'hauteur')
        for (let k = 1; k < 96; k++) expect(Math.abs(codes[k] - 1000 * depths[k])).toBeLessThan(0.51)
    }
    expect((await ask(`${RUN}/map/neige`)).statusCode).toBe(400)
    const bytes = (await ask(`${RUN}/depth/frames?from=0&to=10`)).rawPayload
    const frames = new Uint16Array(Uint8Array.from(bytes).buffer)
    const { depthsM, groundM, speedsMS } = (await ask(`${RUN}/cell?row=4&col=11`)).json<CellSeries>()
    expect(depthsM).toEqual(Array.from({ length: 10 }, (_, k) => frames[k * 96 + 59] / 1000))
    expect(groundM).toBeCloseTo(28.9, 3)
    expect(speedsMS?.[0]).toBe(0)
    expect(Math.max(...(speedsMS ?? []))).toBeGreaterThan(0.05)
    for (const at of ['row=0&col=0', 'row=8&col=0', 'row=0&col=12', 'row=-1&col=0', 'row=1'])
      expect((await ask(`${RUN}/cell?${at}`)).statusCode, at).toBe(400)
  })

  test('a run is a GeoPackage of its wet cells and its network', async () => {
    const answer = await ask(`${REFERENCE}/geopackage`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/geopackage+sqlite3',
    ])
    const path = join(dataDir, 'run.gpkg')
    writeFileSync(path, answer.rawPayload)
    const database = new DatabaseSync(path)
    const rows = (sql: string) => database.prepare(sql).all() as Record<string, number | string>[]
    const depths = readEsriAscii(readFileSync(file(OUTPUT.maxDepth, REFERENCE), 'utf8'), 'depth').data
    const cells = rows('select * from cells order by row, col')
    expect(cells.length).toBe(depths.filter((depth) => depth > 0.05).length)
    for (const { row, col, max_depth_m } of cells)
      expect(max_depth_m).toBeCloseTo(depths[Number(row) * 12 + Number(col)], 4)
    expect(rows('select name from nodes').map(({ name }) => name)).toEqual(['J-1', 'J-2', 'OUT-1'])
    expect(rows('select from_node, to_node from links').length).toBe(2)
    expect(rows('select table_name from gpkg_contents').length).toBe(3)
    database.close()
    // A damaged map is refused by name: without its column the file would look whole.
    const damaged = file(OUTPUT.defra, REFERENCE)
    const whole = readFileSync(damaged)
    await sealFolder(join(dataDir, jobOutput(REFERENCE)))
    writeFileSync(damaged, new Uint8Array([whole[0] ^ 1, ...whole.subarray(1)]))
    const refused = await ask(`${REFERENCE}/geopackage`)
    writeFileSync(damaged, whole)
    rmSync(file(CHECKSUMS, REFERENCE))
    expect([refused.statusCode, refused.json().details.name]).toEqual([404, OUTPUT.defra])
  })

  test('a run is one CF-netCDF of its maps and depths; a damaged map is refused by name', async () => {
    const answer = await ask(`${REFERENCE}/netcdf`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/x-netcdf'])
    const { File, FS, ready } = await import('h5wasm')
    await ready
    FS!.writeFile('/run.nc', answer.rawPayload)
    const netcdf = new File('/run.nc', 'r')
    const values = (name: string) => (netcdf.get(name) as import('h5wasm').Dataset).value as Float32Array
    const depths = readEsriAscii(readFileSync(file(OUTPUT.maxDepth, REFERENCE), 'utf8'), 'depth').data
    for (const [cell, depth] of values('max_depth').entries())
      expect(Object.is(depth, depths[cell]) || Math.abs(depth - depths[cell]) < 1e-6).toBe(true)
    expect(values('water_depth').length).toBe(values('time').length * depths.length)
    netcdf.close()
    const damaged = file(OUTPUT.defra, REFERENCE)
    const whole = readFileSync(damaged)
    await sealFolder(join(dataDir, jobOutput(REFERENCE)))
    writeFileSync(damaged, new Uint8Array([whole[0] ^ 1, ...whole.subarray(1)]))
    const refused = await ask(`${REFERENCE}/netcdf`)
    writeFileSync(damaged, whole)
    rmSync(file(CHECKSUMS, REFERENCE))
    expect([refused.statusCode, refused.json().details.name]).toEqual([404, OUTPUT.defra])
  })

  test('the speed of a cell and the flow through a line are those of the water that moves', async () => {
    // Down the street, across it from the north to the south: the right of who goes there lies upstream.
    const flow = async (run: string, line: string) =>
      (await ask(`${run}/section?${line}`)).json<SectionFlow>()
    const down = await flow(RUN, 'x1=6&y1=1&x2=6&y2=7')
    expect(down.lengthM).toBe(60)
    const back = await flow(RUN, 'x1=6&y1=7&x2=6&y2=1')
    expect(down.flowM3S?.[0]).toBe(0)
    const most = Math.min(...(down.flowM3S ?? []))
    expect(most).toBeLessThan(0)
    down.flowM3S?.forEach((one, k) => {
      expect(one).toBeCloseTo(-(back.flowM3S?.[k] ?? 0), 9)
    })
    for (const line of ['x1=6&y1=1&x2=6&y2=1', 'x1=6&y1=1&x2=13&y2=1', 'x1=-1&y1=1&x2=3&y2=1', 'x1=1'])
      expect((await ask(`${RUN}/section?${line}`)).statusCode, line).toBe(400)
    const before = file(OUTPUT.velocityIndex)
    const index = readFileSync(before)
    rmSync(before)
    expect((await flow(RUN, 'x1=6&y1=1&x2=6&y2=7')).flowM3S).toBeNull()
    expect((await ask(`${RUN}/cell?row=4&col=6`)).json<CellSeries>().speedsMS).toBeNull()
    writeFileSync(before, index)
  })

  test('the course tells rain, flooded area, volumes and flows at the moments of the frames', async () => {
    const course = (await ask(`${REFERENCE}/course`)).json<FloodCourse>()
    const { timesS, rainMmH, rainM3, surfaceM3, outfallM3, outfallM3S, sewerInM3S, sewerM3 } = course
    expect(timesS).toHaveLength(10)
    rainMmH.forEach((rate, k) => {
      expect(rate).toBeCloseTo(k >= 1 && k <= 6 ? 90 : 0, 6)
    })
    expect(rainM3[9]).toBeCloseTo((90 / 1000 / 2) * AREA_M2, 6)
    const lasts = timesS.map((time, k) => (k === 0 ? 0 : time - timesS[k - 1]))
    const volume = (flow: number[]) => flow.reduce((sum, rate, k) => sum + rate * lasts[k], 0)
    expect(volume(outfallM3S)).toBeCloseTo(outfallM3[9], 6)
    expect(outfallM3[9]).toBeGreaterThan(1)
    expect(volume(sewerInM3S)).toBeCloseTo(outfallM3[9] + sewerM3[9], 6)
    const bytes = (await ask(`${REFERENCE}/depth/frames?from=0&to=10`)).rawPayload
    const depths = new Uint16Array(Uint8Array.from(bytes).buffer)
    course.limitsM.forEach((limit, l) => {
      const deep = [...depths.subarray(6 * 96, 7 * 96)].filter(
        (mm) => mm !== DEPTH_FRAME_NO_DATA && mm >= Math.round(1000 * limit),
      )
      expect(course.floodedM2[l][6]).toBe(deep.length * 100)
    })
    expect(course.floodedM2[0][6]).toBeGreaterThan(1000)
    // Frames are whole millimetres: half of one a cell at most.
    const onSurface = [...depths.subarray(6 * 96, 7 * 96)].reduce(
      (sum, mm) => sum + (mm === DEPTH_FRAME_NO_DATA ? 0 : mm / 10),
      0,
    )
    expect(Math.abs(onSurface - surfaceM3[6])).toBeLessThan(0.05 * 95)
    const csv = (await ask(`${REFERENCE}/course.csv`)).body.split('\n').slice(1)
    expect(csv[0]).toBe(`# SIMULATION : Avec égouts (${REFERENCE})`)
    expect(csv[3]).toMatch(
      /^time_s;rain_mm_h;sewer_inflow_m3_s;outfall_m3_s;rain_m3;.*;area_from_1cm_m2;.*;area_from_100cm_m2$/,
    )
    expect(csv[4 + 6].split(';').slice(0, 2)).toEqual(['1800', '90'])
    expect(csv).toHaveLength(4 + 10 + 1)
  })

  test('the largest depths as GeoTIFF and CSV, and how they differ from a reference', async () => {
    const grid = (id: string) => readEsriAscii(readFileSync(file(OUTPUT_MAX_DEPTH, id), 'utf8'), 'max').data
    const [own, other] = [grid(RUN), grid(REFERENCE)]
    const tiff = async (path: string) => {
      const { rawPayload, headers } = await ask(path)
      expect(headers['content-type']).toBe('image/tiff')
      const image = await (await fromArrayBuffer(Uint8Array.from(rawPayload).buffer)).getImage()
      const [values] = (await image.readRasters()) as unknown as Float32Array[]
      return { image, values }
    }
    const { image, values } = await tiff(`${RUN}/max-depth.tif`)
    expect(image.getGeoKeys()).toMatchObject({ ProjectedCSTypeGeoKey: 2154 })
    expect(image.getBoundingBox()).toEqual([674_000, 6_827_000, 674_120, 6_827_080])
    expect(values[0]).toBe(image.getGDALNoData())
    own.slice(1).forEach((depth, k) => {
      expect(values[k + 1]).toBe(Math.fround(depth))
    })
    const apart = (await tiff(`${RUN}/max-depth.tif?reference=${REFERENCE}`)).values
    const deeper = own.map((depth, k) => depth - other[k])
    // Without inlets the street is deeper.
    expect(Math.max(...deeper.slice(1))).toBeGreaterThan(0.001)
    deeper.slice(1).forEach((difference, k) => {
      expect(apart[k + 1]).toBe(Math.fround(difference))
    })
    const csv = (await ask(`${RUN}/max-depth.csv?reference=${REFERENCE}`)).body.trimEnd().split('\n').slice(1)
    expect(csv[3]).toBe(`# REFERENCE : Avec égouts (${REFERENCE})`)
    expect(csv[4]).toBe('row;col;x_m;y_m;lon;lat;max_depth_m;reference_m;difference_m')
    const wet = own.filter((depth, k) => depth > 0 || other[k] > 0).length
    expect(csv).toHaveLength(5 + wet)
    const street =
      csv
        .find((line) => line.startsWith('4;6;'))
        ?.split(';')
        .map((field) => Number(field.replace(',', '.'))) ?? []
    expect(street.slice(2, 4)).toEqual([674_065, 6_827_035])
    expect(street[6]).toBe(own[4 * 12 + 6])
    expect(street[8]).toBeCloseTo(deeper[4 * 12 + 6], 4)
  })

  test('what is missing, damaged, gone or not comparable says so, by name', async () => {
    expect((await ask(`${RUN}/course`, { authorization: '' })).statusCode).toBe(401)
    expect((await ask(`${RUN}/max-depth.tif?reference=${GONE}`)).json().message).toBe(
      'Ce calcul n’existe pas ou plus.',
    )
    const refused = async (path: string, name: string) => {
      const answer = await ask(path)
      expect([path, answer.statusCode, answer.json().details?.name]).toEqual([path, 404, name])
    }
    const narrower = readFileSync(file(OUTPUT_MAX_DEPTH, REFERENCE), 'utf8').replace(
      'cellsize 10',
      'cellsize 20',
    )
    writeFileSync(file(OUTPUT_MAX_DEPTH, REFERENCE), narrower)
    const other = await ask(`${RUN}/max-depth.csv?reference=${REFERENCE}`)
    expect([other.statusCode, other.json().code]).toEqual([409, 'simulation.notComparable'])
    truncateSync(file(OUTPUT.frames), 400)
    await refused(`${RUN}/depth/frames?from=5&to=10`, OUTPUT.frames)
    await refused(`${RUN}/course`, OUTPUT.frames)
    expect((await ask(`${RUN}/depth`)).statusCode).toBe(200)
    rmSync(file(OUTPUT.frames))
    await refused(`${RUN}/depth/frames?from=0&to=1`, OUTPUT.frames)
    writeFileSync(file(OUTPUT.framesIndex), '{"frames": []}')
    await refused(`${RUN}/depth`, OUTPUT.framesIndex)
    writeFileSync(file(OUTPUT.balance, REFERENCE), '{')
    await refused(`${REFERENCE}/course`, OUTPUT.balance)
    truncateSync(file(OUTPUT_MAX_DEPTH), 200)
    await refused(`${RUN}/max-depth.tif`, OUTPUT_MAX_DEPTH)
    await refused(`${RUN}/output?outputType=${OUTPUT_MAX_DEPTH}`, OUTPUT_MAX_DEPTH)
  })
})
