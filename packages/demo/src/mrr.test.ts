import { readMrrPro } from '@radx/formats/mrrpro/mrrpro'
import { expect, test } from 'vitest'
import { columnAbove } from './column.ts'
import { Demo } from './demo.ts'
import { defaultSite, otherSite } from './testing/site.ts'

const demo = new Demo(defaultSite)
const start = Date.UTC(2018, 0, 16, 3)

test('[MRR-22] a file reads back to the column that was written', async () => {
  const { name, bytes } = await demo.microRainRadarFile(start)
  expect(name).toBe('20180116_030000.nc')
  const read = await readMrrPro(bytes)
  const column = columnAbove(demo.weather, defaultSite.microRainRadar!.position, 130, start, 60)
  expect([read.nprofiles, read.ngates]).toEqual([60, 128])
  expect([...read.timesMs]).toEqual([...column.timesMs])
  expect(read.heightsM).toEqual(column.heightsM)
  expect(read.variables.LWC).toEqual(column.LWC)
  expect(read.variables.Ze).toEqual(column.Z)
  expect(read.variables.VEL).toEqual(column.VEL)
  expect(Math.max(...read.variables.LWC)).toBeGreaterThan(0.05)
  expect(read.lat).toBe(defaultSite.microRainRadar!.position.lat)
})

test('same arguments give the same bytes', async () => {
  const one = await demo.microRainRadarFile(start)
  await demo.microRainRadarFile(start + 600_000)
  const two = await new Demo(defaultSite).microRainRadarFile(start)
  expect(Buffer.compare(one.bytes, two.bytes)).toBe(0)
})

test('files end within the period asked for, and a site without the instrument has none', async () => {
  expect(demo.microRainRadarStarts(start, start + 1_800_000)).toEqual([
    start,
    start + 600_000,
    start + 1_200_000,
  ])
  expect(demo.microRainRadarStarts(start, start + 599_999)).toEqual([])
  const bare = new Demo(otherSite)
  expect(bare.microRainRadarStarts(0, 1e9)).toEqual([])
  await expect(bare.microRainRadarFile(start)).rejects.toThrow(RangeError)
})
