import { expect, test } from 'vitest'
import { layOutSections } from '../network/conduit-sections.ts'
import { planSewer } from '../network/plan.ts'
import { conduit, junction, network, outfall, section } from '../testing/build.ts'
import { createSectionLook } from './section-look.ts'

test('millimetres of water in a wide bed have the radius and the conveyance of the geometry', () => {
  const bed = section('TRAPEZOIDAL', 2, 50, 4, 4)
  const net = network([junction('A', 1), outfall('O', 0)], [conduit('C', 0, 1, 50, bed)])
  const { look } = createSectionLook(layOutSections(planSewer(net).conduits, net.options))
  // The first row of the table stands at 7.8 mm; between its own rows EPA SWMM has the formula.
  for (const y of [0.001, 0.002, 0.005, 0.02, 0.06, 0.07, 1.9]) {
    const area = y * (50 + 4 * y)
    const radius = area / (50 + 2 * y * Math.sqrt(17))
    expect(Math.abs(look(0, y, 0) / area - 1)).toBeLessThan(0.001)
    expect(Math.abs(look(0, y, 2) / radius ** (4 / 3) - 1)).toBeLessThan(0.02)
    expect(Math.abs(look(0, y, 3) / (area * radius ** (2 / 3)) - 1)).toBeLessThan(0.02)
  }
})
