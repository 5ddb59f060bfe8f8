import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { NetworkModel, NetworkPeaks } from '@radx/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { writeGeoPackage } from './geopackage.ts'

const MODEL = {
  placed: 'file',
  nodes: [
    { name: 'J1', kind: 'junction', at: [1, 2], invertM: 10, depthM: 2 },
    { name: 'O1', kind: 'outfall', at: [5, 2], invertM: 9, depthM: 0 },
  ],
  links: [
    {
      name: 'C1',
      kind: 'conduit',
      from: 0,
      to: 1,
      bends: [[3, 4]],
      lengthM: 90,
      shape: 'CIRCULAR',
      heightM: 1,
    },
  ],
  subcatchments: [
    {
      name: 'S1',
      areaM2: 100,
      imperviousShare: 0.5,
      outlet: 'J1',
      gage: 'R',
      measures: 0,
      ring: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
    { name: 'S2', areaM2: 100, imperviousShare: 0.5, outlet: null, gage: null, measures: 0, ring: [] },
  ],
} as unknown as NetworkModel
const PEAKS: NetworkPeaks = {
  nodes: {
    names: ['J1', 'O1'],
    maxDepthM: [1.5, 0.2],
    maxHeadM: [11.5, 9.2],
    timeS: [60, 60],
    maxInflowM3S: [0.3, 0.3],
    floodedM3: [0, 0],
  },
  links: {
    names: ['C1'],
    maxFlowM3S: [0.3],
    timeS: [60],
    maxVelocityMS: [1],
    fill: [0.7],
    volumeM3: [12],
    surchargedS: [0],
  },
  subcatchments: {
    names: ['S1', 'S2'],
    rainMm: [20, 20],
    infiltrationMm: [5, 5],
    runoffMm: [15, 15],
    peakM3S: [0.1, 0.1],
  },
}

test('a GeoPackage names itself, its layers and their extent, and holds geometries as ISO WKB', () => {
  const dir = mkdtempSync(join(tmpdir(), 'radx-gpkg-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'n.gpkg')
  writeGeoPackage(path, MODEL, PEAKS)
  const database = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => database.close())
  const all = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  expect(all('pragma application_id')).toEqual([{ application_id: 0x47504b47 }])
  expect(all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(all('pragma foreign_key_check')).toEqual([])
  expect(all('select table_name, min_x, max_y, srs_id from gpkg_contents order by 1')).toEqual([
    { table_name: 'links', min_x: 1, max_y: 4, srs_id: -1 },
    { table_name: 'nodes', min_x: 1, max_y: 2, srs_id: -1 },
    { table_name: 'subcatchments', min_x: 0, max_y: 1, srs_id: -1 },
  ])
  expect(all('select name, max_flow_m3s, from_node from links')).toEqual([
    { name: 'C1', max_flow_m3s: 0.3, from_node: 'J1' },
  ])
  const geometries = database.prepare('select geom from links union all select geom from subcatchments').all()
  const [line, ring, none] = geometries.map(({ geom }) => geom && Buffer.from(geom as Uint8Array))
  if (!Buffer.isBuffer(line) || !Buffer.isBuffer(ring)) throw new Error('no geometry')
  expect(line.subarray(0, 4)).toEqual(Buffer.from([0x47, 0x50, 0, 1]))
  expect([line.readInt32LE(4), line[8], line.readUInt32LE(9), line.readUInt32LE(13)]).toEqual([-1, 1, 2, 3])
  expect([0, 1, 2].map((k) => [line.readDoubleLE(17 + 16 * k), line.readDoubleLE(25 + 16 * k)])).toEqual([
    [1, 2],
    [3, 4],
    [5, 2],
  ])
  // A ring ends where it begins.
  expect([ring.readUInt32LE(9), ring.readUInt32LE(13), ring.readUInt32LE(17), ring.length]).toEqual([
    3,
    1,
    4,
    21 + 64,
  ])
  expect(none).toBeNull()
})
