import { cityBlock } from './cases/city-block.ts'
import { threeHumps } from './cases/humps.ts'
import { conicalIsland } from './cases/island.ts'
import { malpasset } from './cases/malpasset.ts'
import { monai } from './cases/monai.ts'
import { radialDamBreak } from './cases/radial.ts'
import { seaside } from './cases/seaside.ts'
import { valley } from './cases/valley.ts'
import type { ValidationSection } from './section.ts'

export const section: ValidationSection = {
  title: 'Benchmarks in two dimensions',
  order: 1.6,
  run: () => [
    'Each case is a package on which `radx simulate` is run, with both schemes. Data: `../shared/data/surface`.',
    '',
    ...radialDamBreak(),
    ...threeHumps(),
    ...malpasset(),
    ...monai(),
    ...conicalIsland(),
    ...seaside(),
    ...cityBlock(),
    ...valley(),
  ],
}
