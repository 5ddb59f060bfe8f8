import { ARCHIVE_STEPS_S } from '@radx/contracts/constants'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { selectionTexts as texts } from '../texts/selection.ts'
import classes from './StepChoice.module.css'

interface Props {
  /** Seconds; null is every image. */
  step: number | null
  onStep: (step: number | null) => void
  /** Bytes of the images at this step, once they are known. */
  bytes: number | null
}

/** Which images of a long period are loaded, and what they weigh. */
export function StepChoice({ step, onStep, bytes }: Props) {
  return (
    <p className={classes.root}>
      <label>
        {texts.step.label}{' '}
        <select
          value={step ?? ''}
          onChange={({ target }) => onStep(target.value === '' ? null : Number(target.value))}
          aria-describedby="step-note"
        >
          <option value="">{texts.step.every}</option>
          {ARCHIVE_STEPS_S.map((seconds) => (
            <option key={seconds} value={seconds}>
              {texts.step.of(seconds)}
            </option>
          ))}
        </select>
      </label>
      <span id="step-note">
        {bytes !== null && `${formatQuantityFr(bytes / 1e6, 'Mo', bytes < 1e7 ? 1 : 0)}. `}
        {step === null ? texts.step.noteEvery : texts.step.noteStep}
      </span>
    </p>
  )
}
