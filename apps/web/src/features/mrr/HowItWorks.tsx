import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { mrrTexts } from '../../texts/mrr.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './HowItWorks.module.css'
import { RadarFigure } from './RadarFigure.tsx'

const texts = mrrTexts.how
const STEPS = texts.steps.length
const STEP_MS = 4_000

/** The measuring principle in four steps; still when the reader asks for reduced motion, until play is pressed. */
export function HowItWorks() {
  const [step, setStep] = useState(0)
  const [playing, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setStep((s) => (s + 1) % STEPS), STEP_MS)
    return () => clearInterval(timer)
  }, [playing])
  return (
    <section className={classes.root} aria-labelledby="mrr-how">
      <h2 id="mrr-how">{texts.title}</h2>
      <div className={classes.body}>
        <RadarFigure step={step} />
        <div>
          <ol className={classes.steps}>
            {texts.steps.map(({ title, text }, i) => (
              <li key={title} data-current={i === step || undefined}>
                <button
                  type="button"
                  aria-current={i === step ? 'step' : undefined}
                  onClick={() => {
                    setStep(i)
                    setPlaying(false)
                  }}
                >
                  <span className={classes.number}>{i}</span>
                  {title}
                </button>
                <p>{text}</p>
              </li>
            ))}
          </ol>
          <IconButton
            label={playing ? texts.pause : texts.play}
            variant="default"
            onClick={() => setPlaying(!playing)}
          >
            {playing ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
          </IconButton>
        </div>
      </div>
    </section>
  )
}
