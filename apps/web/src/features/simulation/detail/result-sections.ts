import type { ComponentType } from 'react'
import type { SimulationJob } from '../api.ts'

/** Analyses of a finished run, in their order on the page; each is given the run. */
export const RESULT_SECTIONS: readonly ComponentType<{ job: SimulationJob }>[] = []
