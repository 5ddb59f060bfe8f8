import { FormatError } from '@radx/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInp } from './inp/read.ts'
import { SwmmOut } from './swmm-out.ts'
import { readSwmmOut } from './swmm-out-read.ts'
import { readSwmmReport } from './swmm-rpt.ts'
import { inp } from './testing/inp-text.ts'

function file(): Uint8Array {
  const { network } = readInp(inp())
  const out = new SwmmOut(network, 0, 60)
  const parts = [out.head([0.5, 0.5])]
  for (const k of [1, 3, 2]) {
    const node = Array(3).fill(k)
    const link = [k, -2 * k]
    const period = {
      node: {
        depthM: node,
        headM: node,
        volumeM3: node,
        lateralM3S: node,
        inflowM3S: node,
        floodingM3S: node,
      },
      link: { flowM3S: link, depthM: link, velocityMS: link, volumeM3: link, capacity: link },
      system: { lateralM3S: 0, floodingM3S: 0, outflowM3S: 0, storageM3: 0 },
    }
    parts.push(out.period(60 * k, period))
  }
  parts.push(out.tail())
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

test('largest depths and flows, whichever way, are those of the periods', () => {
  const { nodeDepths, linkFlows, sampled } = readSwmmOut(file(), 'x.out')
  expect([...nodeDepths]).toEqual([
    ['J1', 3],
    ['J2', 3],
    ['O1', 3],
  ])
  expect([...linkFlows]).toEqual([
    ['C1', 3],
    ['C2', 6],
  ])
  expect(sampled).toBe(true)
})

test('a damaged file is refused, never worse', () => {
  const whole = file()
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (cut, at, byte) => {
      const bytes = whole.slice(0, cut)
      if (at < bytes.length) bytes[at] = byte
      try {
        readSwmmOut(bytes, 'x.out')
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }),
    { numRuns: 500 },
  )
})

test('a text that is no report is refused', () => {
  expect(() => readSwmmReport(new TextEncoder().encode('rien'), 'x.rpt')).toThrow('Link Flow Summary')
})
