import { expect, test } from 'vitest'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { pump } from '../testing/devices.ts'
import type { Sewer } from '../types.ts'
import { createPeaks } from './peaks.ts'

/** A sewer that shows what it is told to. */
function shown() {
  const net = network(
    [junction('A', 10), junction('B', 9), outfall('O', 8)],
    [
      conduit('AB', 0, 1, 50, section('CIRCULAR', 1)),
      conduit('BO', 1, 2, 50, section('CIRCULAR', 1)),
      pump({ from: 0, to: 2 }),
    ],
  )
  const f64 = (...values: number[]) => Float64Array.from(values)
  const sewer = {
    network: net,
    timeS: 0,
    heads: f64(10.5, 9.2, 8),
    depths: f64(0.5, 0.2, 0),
    flows: f64(0, 0, 0),
    velocities: f64(0, 0, 0),
    linkDepths: f64(0, 0, 0),
    lateralVolumes: f64(0, 0, 0),
    floodVolumes: f64(0, 0, 0),
    outfallVolumes: f64(0, 0, 0),
    linkFullDepths: f64(1, 2, 0),
    crowns: f64(11, 10, 10, 9, 0, 0),
  }
  const peaks = createPeaks(sewer as unknown as Sewer)
  return {
    peaks,
    sewer,
    observe(timeS: number, dtS: number, now: Partial<Record<keyof typeof sewer, number[]>>) {
      sewer.timeS = timeS
      for (const [name, values] of Object.entries(now)) (sewer[name as 'flows'] as Float64Array).set(values)
      peaks.observe(dtS)
    },
  }
}

test('links: the largest flow either way and when, net volume, velocity, filling', () => {
  const { peaks, observe } = shown()
  observe(10, 10, { flows: [0.3, 0, 0], velocities: [1, 0, 0], linkDepths: [0.4, 0.6, 5] })
  observe(20, 10, { flows: [-0.5, 0.2, 0.1], velocities: [-2, 0.5, 0], linkDepths: [0.9, 0.4, 5] })
  observe(25, 5, { flows: [0.5, 0.1, 0], velocities: [1.5, 0.4, 0], linkDepths: [0.7, 1, 5] })
  expect(Array.from(peaks.link.maxAbsFlow)).toEqual([0.5, 0.2, 0.1])
  // The first of equals.
  expect(Array.from(peaks.link.timeS)).toEqual([20, 20, 20])
  expect(Array.from(peaks.link.volume)).toEqual([3 - 5 + 2.5, 2.5, 1].map((v) => expect.closeTo(v, 12)))
  expect(Array.from(peaks.link.maxVelocity)).toEqual([2, 0.5, 0])
  // Over the full depth; what has none is never full.
  expect(Array.from(peaks.link.maxFullDepthRatio)).toEqual([0.9, 0.5, 0])
})

test('links: surcharged while both ends stand at their crowns or above', () => {
  const { peaks, observe } = shown()
  observe(10, 10, { heads: [11, 10, 8] })
  observe(13, 3, { heads: [12, 9.9, 9] })
  observe(20, 7, { heads: [10.9, 12, 9] })
  observe(21, 1, { heads: [20, 20, 20] })
  expect(Array.from(peaks.link.surchargedS)).toEqual([11, 8, 0])
})

test('nodes: the largest depth, its head and when, from what they start with', () => {
  const { peaks, observe } = shown()
  observe(10, 10, { depths: [0.4, 0.3, 0], heads: [10.4, 9.3, 8] })
  observe(20, 10, { depths: [0.6, 0.3, 0], heads: [10.6, 9.4, 8] })
  expect(Array.from(peaks.node.maxDepth)).toEqual([0.6, 0.3, 0])
  expect(Array.from(peaks.node.maxHead)).toEqual([10.6, 9.3, 8])
  expect(Array.from(peaks.node.timeS)).toEqual([20, 10, 0])
})

test('nodes: the largest inflow from outside and all links, volumes flooded and let out', () => {
  const { peaks, observe } = shown()
  // A gets 0.2 m3/s from outside and 0.3 back from B; B gives it.
  observe(10, 10, {
    lateralVolumes: [2, 0, 0],
    flows: [-0.3, 0.1, 0.25],
    floodVolumes: [1, 0, 0],
    outfallVolumes: [0, 0, 4],
  })
  expect(Array.from(peaks.node.maxInflow)).toEqual([0.5, 0, 0.35].map((v) => expect.closeTo(v, 12)))
  // What is taken out does not count against it.
  observe(20, 10, {
    lateralVolumes: [-2, 0, 0],
    flows: [0.4, -0.2, 0],
    floodVolumes: [2, 0, 0],
    outfallVolumes: [0, 0, -1],
  })
  expect(Array.from(peaks.node.maxInflow)).toEqual([0.5, 0.6, 0.35].map((v) => expect.closeTo(v, 12)))
  observe(30, 10, { lateralVolumes: [0, 0, 0], flows: [-0.45, 0, 0] })
  expect(peaks.node.maxInflow[0]).toBeCloseTo(0.5, 12)
  expect(Array.from(peaks.node.floodVolume)).toEqual([5, 0, 0])
  expect(Array.from(peaks.node.outfallVolume)).toEqual([0, 0, 2])
})
