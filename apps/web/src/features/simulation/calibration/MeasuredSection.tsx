import { Suspense, useState } from 'react'
import { part } from '../../../app/part.tsx'
import { measuredTexts as texts } from '../../../texts/calibration.ts'
import type { SimulationJob } from '../api.ts'
import { ResultSection } from '../result/ResultSection.tsx'

const Content = part(() => import('./MeasuredContent.tsx'))

/** What was measured beside what the run gives; it comes when it is opened. */
export function MeasuredSection({ job }: { job: SimulationJob }) {
  const [open, setOpen] = useState(false)
  return (
    <ResultSection title={texts.title} open={open} onToggle={setOpen}>
      <Suspense fallback={<p role="status">{texts.loading}</p>}>
        <Content job={job} />
      </Suspense>
    </ResultSection>
  )
}
