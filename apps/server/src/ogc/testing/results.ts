import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uniformRain } from '@radx/hydrology/rain/rain'
import type { Deps } from '../../http/app.ts'
import { jobOutput } from '../../jobs/output.ts'
import { NETWORK_OUTPUT } from '../../networks/outputs.ts'
import { CatchmentLibrary } from '../../simulation/catchment/library.ts'
import { MULTIHYDRO } from '../../simulation/multihydro.ts'
import { runSimulation } from '../../simulation/run/run.ts'
import {
  SMALL_CATCHMENT,
  smallCatchmentAt,
  writeSmallCatchment,
} from '../../simulation/testing/small-catchment.ts'
import { networkFolder } from '../../store/file-store.ts'
import { sealFolder } from '../../store/folder-checksums.ts'
import { ARCHIVE, iso } from './ogc-server.ts'

export const VIRTUAL = '00000000-0000-4000-8000-00000000000a'
export const MEASURED = '00000000-0000-4000-8000-00000000000b'
export const NETWORK_ID = '00000000-0000-4000-8000-0000000000c1'
export const NETWORK_RUN = '00000000-0000-4000-8000-0000000000c2'
const HOUR = 3_600_000
/** Lower-left corner of the catchment, in Lambert 93: 2.65 E, 48.54 N. */
const [XLL, YLL] = [674_000, 6_827_000]
export const CREATED = Date.parse('2026-06-10T09:00:00Z')

/**
 * A catchment of 120 m by 80 m with three nodes and two conduits, a finished run of virtual rain of `u` and one without
 * drainage of the archive's hour of `m`, whose files are gone, and a network of `u` with a run of its own.
 */
export async function addResults(deps: Deps, dataDir: string): Promise<void> {
  const place = { ...JSON.parse(SMALL_CATCHMENT['catchment.json']), xll: XLL, yll: YLL }
  const street = [
    [XLL + 5, YLL + 35],
    [XLL + 115, YLL + 35],
  ]
  const files = smallCatchmentAt(XLL, YLL)
  writeSmallCatchment(join(dataDir, 'package'), {
    ...files,
    // A hollow in the street, in which water stands.
    'elevation.asc': files['elevation.asc'].replace(/^30 29\.9 .*$/m, (row) =>
      row.replace(' 29.4 ', ' 28.9 '),
    ),
    'catchment.json': JSON.stringify(place),
    'streets.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { name: 'Grande Rue' },
          geometry: { type: 'LineString', coordinates: street },
        },
      ],
    }),
  })
  const library = new CatchmentLibrary(deps.db, deps.config)
  await library.import(join(dataDir, 'package'))
  const catchment = await library.get('petit')
  const outDir = join(dataDir, jobOutput(VIRTUAL))
  mkdirSync(join(outDir, '..'), { recursive: true })
  const rain = uniformRain(new Array(30).fill(90), 60)
  const done = await runSimulation({ catchment, rain, options: { soil: true, drainage: true }, outDir })
  const input = {
    title: 'Orage',
    catchmentId: 'petit',
    catchmentDisplay: 'Petit bassin',
    drainageModule: 'true',
  }
  const period = { rainfallStart: iso(ARCHIVE), rainfallEnd: iso(ARCHIVE + HOUR), product: 'dpsri' }
  const add = (id: string, kind: string, username: string, own: object, result: object) =>
    deps.db
      .insertInto('job')
      .values({
        id,
        kind,
        username,
        status: 'done',
        input: JSON.stringify(own),
        result: JSON.stringify(result) as never,
        created_at: new Date(CREATED),
      })
      .execute()
  await add(
    VIRTUAL,
    MULTIHYDRO,
    'u',
    { ...input, rainfallSelection: 'virtual', rainfallStart: iso(CREATED) },
    done,
  )
  const measured = { balance: done.balance, run: { ...done.run, simulatedSeconds: 3600 } }
  await add(
    MEASURED,
    MULTIHYDRO,
    'm',
    { ...input, ...period, title: 'Mesurée', rainfallSelection: 'radar', drainageModule: 'false' },
    measured,
  )
  await addNetwork(deps, dataDir, add)
}

async function addNetwork(
  deps: Deps,
  dataDir: string,
  add: (id: string, kind: string, username: string, input: object, result: object) => Promise<unknown>,
): Promise<void> {
  const file = 'reseau.inp'
  const text = smallCatchmentAt(XLL, YLL)['network.inp']
  const dir = join(dataDir, networkFolder(NETWORK_ID, 1))
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, file), text)
  await sealFolder(dir)
  await deps.db
    .insertInto('network')
    .values({ id: NETWORK_ID, username: 'u', name: 'Quartier', crs: 'EPSG:2154' })
    .execute()
  await deps.db
    .insertInto('network_version')
    .values({
      network_id: NETWORK_ID,
      version: 1,
      file,
      files: JSON.stringify([{ name: file, bytes: text.length }]) as never,
      bytes: text.length,
      sha256: Buffer.alloc(32),
      nodes: 3,
      links: 2,
      subcatchments: 0,
      warnings: 0,
    })
    .execute()
  const out = join(dataDir, jobOutput(NETWORK_RUN))
  mkdirSync(out, { recursive: true })
  const three = [1, 2, 3]
  const two = [0.5, 0.25]
  const peaks = {
    nodes: {
      names: ['J-1', 'J-2', 'OUT-1'],
      ...{ maxDepthM: three, maxHeadM: three, timeS: three, maxInflowM3S: three, floodedM3: three },
    },
    links: {
      names: ['C-1', 'C-2'],
      ...{ maxFlowM3S: two, timeS: two, maxVelocityMS: two, fill: two, volumeM3: two, surchargedS: two },
    },
    subcatchments: { names: [], rainMm: [], infiltrationMm: [], runoffMm: [], ratedMm: [], peakM3S: [] },
  }
  writeFileSync(join(out, NETWORK_OUTPUT.peaks), JSON.stringify(peaks))
  await sealFolder(out)
  const rain = { kind: 'radar', product: 'dpsri', start: iso(ARCHIVE), end: iso(ARCHIVE + HOUR) }
  const version = { networkId: NETWORK_ID, version: 1, file, files: [file] }
  await add(
    NETWORK_RUN,
    'network',
    'u',
    { ...version, title: 'Quartier', rain, implicit: false },
    { stepS: 300 },
  )
}
