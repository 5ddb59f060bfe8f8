import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type BuilderScreenStep, builderTexts as texts } from '../../texts/builder.ts'
import classes from './Builder.module.css'
import { addressOf, isGiven, SCREEN_STEPS } from './steps.ts'
import { useBuilder } from './useBuilder.ts'

/** The steps, each with its own address; any of them may be gone to at any time. */
export function StepNav({ current }: { current: BuilderScreenStep }) {
  const { recipe } = useBuilder()
  return (
    <nav aria-label={texts.stepsLabel}>
      <ol className={classes.steps}>
        {SCREEN_STEPS.map((step, k) => (
          <li key={step}>
            <Link
              to={addressOf(step)}
              aria-current={step === current ? 'step' : undefined}
              preventScrollReset
            >
              <span className={classes.number}>
                {isGiven(step, recipe) && step !== current ? (
                  <IconCheck size={16} stroke={2.5} aria-hidden />
                ) : (
                  k + 1
                )}
              </span>
              <span>{texts.steps[step]}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
