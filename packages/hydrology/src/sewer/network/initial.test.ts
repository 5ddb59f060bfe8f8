import { expect, test } from 'vitest'
import { conduit, junction, network, outfall, tank } from '../testing/build.ts'
import { area, CHANNEL, radius } from '../testing/pipe.ts'
import { initialHeads } from './initial.ts'
import { planSewer } from './plan.ts'

const beta = Math.sqrt(1 / Math.sqrt(100 ** 2 - 1)) / 0.013
/** Flow at normal depth in the channel, 1 m down on 100 m. */
const flowAt = (y: number) => beta * area(y) * radius(y) ** (2 / 3)

test('heads at the start: the file’s depths, else the mean of what the conduits’ flows bring', () => {
  const net = network(
    [
      junction('A', 12),
      junction('B', 11),
      junction('C', 10, { initDepthM: 0.7 }),
      tank('T', 9.5, 50),
      outfall('O', 9),
      junction('D', 20),
    ],
    [
      conduit('AB', 0, 1, 100, CHANNEL, { initFlowM3S: flowAt(0.3) }),
      conduit('BC', 1, 2, 100, CHANNEL, { initFlowM3S: -flowAt(0.5), inOffsetM: 0.2, outOffsetM: 0.2 }),
      conduit('CO', 2, 4, 100, CHANNEL, { initFlowM3S: flowAt(0.4) }),
      conduit('BT', 1, 3, 100, CHANNEL, { initFlowM3S: 0 }),
      conduit('TO', 3, 4, 100, CHANNEL, { initFlowM3S: flowAt(0.4) }),
    ],
  )
  const plan = planSewer(net)
  const heads = initialHeads(net, plan)
  const at = (node: number) => heads[plan.positionOf[node]]
  expect(at(0)).toBeCloseTo(12.3, 6)
  // The end of one pipe 0.3 m deep, and of one 0.2 m up and 0.5 m deep.
  expect(at(1)).toBeCloseTo(11 + (0.3 + 0.7) / 2, 6)
  expect(at(2)).toBe(10.7)
  // Tanks and outfalls begin as the file says.
  expect(at(3)).toBe(9.5)
  expect(at(4)).toBe(9)
  expect(at(5)).toBe(20)
})
