import type { ComponentType } from 'react'
import type { SimulationJob } from '../api.ts'
import { MeasuredSection } from '../calibration/MeasuredSection.tsx'
import { MaxDepth } from '../result/depth/MaxDepth.tsx'
import { Ensemble } from '../result/ensemble/Ensemble.tsx'
import { Measures } from '../result/measures/Measures.tsx'
import { OutputSelector } from '../result/OutputSelector.tsx'
import { ReferencePicker } from '../result/reference/ReferencePicker.tsx'
import { SwmmAnalysis } from '../result/sewer/SwmmAnalysis.tsx'
import { Evolution } from '../result/timeline/Evolution.tsx'

/** Analyses of a finished run, in their order on the page; each is given the run. */
export const RESULT_SECTIONS: readonly ComponentType<{ job: SimulationJob }>[] = [
  OutputSelector,
  ReferencePicker,
  SwmmAnalysis,
  MaxDepth,
  Evolution,
  Ensemble,
  Measures,
  MeasuredSection,
]
