import type { CatchmentSummary } from '@radx/contracts/simulation'
import { RainChoice } from '../rain/RainChoice.tsx'
import { SoilBefore } from '../rain/SoilBefore.tsx'
import { Submit } from '../Submit.tsx'
import { useForm } from '../store.ts'
import classes from './RainStep.module.css'

export default function RainStep({ catchment }: { catchment: CatchmentSummary | undefined }) {
  const selection = useForm((state) => state.rainfallSelection)
  return (
    <div className={classes.root}>
      <RainChoice catchment={catchment} />
      {selection !== null && <SoilBefore />}
      <Submit catchment={catchment} />
    </div>
  )
}
