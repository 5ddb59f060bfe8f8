import { Suspense } from 'react'
import { part } from '../../../../app/part.tsx'
import { resultTexts as texts } from '../../../../texts/sewer.ts'
import type { SimulationJob } from '../../api.ts'
import { ResultSection } from '../ResultSection.tsx'
import { useResult } from '../state.ts'

// The map comes when it is asked for.
const SewerAnalysis = part(() => import('./SewerAnalysis.tsx'))

/** The sewer network of a run, collapsed at start. */
export function SwmmAnalysis({ job }: { job: SimulationJob }) {
  const { outputs, show } = useResult()
  return (
    <ResultSection
      title={texts.views.swmm.title}
      open={outputs.includes('swmm')}
      onToggle={(open) => show('swmm', open)}
    >
      <Suspense fallback={<p role="status">{texts.loading}</p>}>
        <SewerAnalysis job={job} />
      </Suspense>
    </ResultSection>
  )
}
