import type { RunFigures } from '@radx/contracts'
import { OutputMissing } from '../errors.ts'
import type { MultihydroResult } from '../multihydro.ts'
import { OUTPUT } from '../run/outputs.ts'
import { readFlows } from './course.ts'
import { readField } from './fields.ts'
import { figuresOf } from './figures.ts'
import { readSewerPeaks } from './sewer-peaks.ts'

/** The figures of a run by the files of its folder. @throws OutputMissing without its largest depths */
export async function figuresIn(
  dir: string,
  { balance, run }: Pick<MultihydroResult, 'balance' | 'run'>,
): Promise<RunFigures> {
  // What a run of before has not, or one without a network, is left out.
  const missing = (error: unknown) => {
    if (error instanceof OutputMissing) return null
    throw error
  }
  const maxDepth = await readField(dir, OUTPUT.maxDepth)
  const areaM2 = Math.max(1, run.activeCells) * maxDepth.cellSize ** 2
  const [sewer, flows] = await Promise.all([
    readSewerPeaks(dir).catch(missing),
    readFlows(dir, areaM2).catch(missing),
  ])
  return figuresOf({ maxDepth, sewer, flows, balance, durationS: run.simulatedSeconds })
}
