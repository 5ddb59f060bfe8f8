import { IconCheck } from '@tabler/icons-react'
import { formTexts as texts } from '../../../texts/simulation.ts'
import classes from './StepBar.module.css'
import type { Step } from './state.ts'

interface Props {
  steps: readonly Step[]
  current: Step
  /** Steps that may be gone to: every one up to the first that is not valid. */
  reachable: readonly Step[]
  valid: (step: Step) => boolean
  onStep: (step: Step) => void
}

/** Where one is in the form, and a way back or on to what may be seen. */
export function StepBar({ steps, current, reachable, valid, onStep }: Props) {
  const at = steps.indexOf(current)
  return (
    <nav aria-label={texts.progress}>
      <ol className={classes.root}>
        {steps.map((step, k) => (
          <li key={step} data-past={k < at}>
            <button
              type="button"
              aria-current={step === current ? 'step' : undefined}
              disabled={!reachable.includes(step)}
              onClick={() => onStep(step)}
            >
              <span className={classes.number}>
                {k < at && valid(step) ? <IconCheck size={16} stroke={2.5} aria-hidden /> : k + 1}
              </span>
              <span className={classes.label}>{texts.steps[step]}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
