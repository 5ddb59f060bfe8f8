import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useSite } from '../../app/site.ts'
import { endTour } from '../../app/tour.ts'
import { tourTexts as texts } from '../../texts/tour.ts'
import { PrimaryButton, QuietButton } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { type Place, placeBeside, STEPS, targetOf } from './place.ts'
import classes from './Tour.module.css'

/**
 * Shows a newcomer round, once. It lies beside what it speaks of, takes no focus before it is asked to start, and keeps
 * nobody from using the page meanwhile.
 */
export default function Tour() {
  const [step, setStep] = useState<number | null>(null)
  const end = () => {
    endTour()
    // Whoever came through it by keyboard goes on at the page's content.
    if (step !== null) document.getElementById('contenu')?.focus({ preventScroll: true })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    end()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape ends the tour from any of its buttons
    <div onKeyDown={onKey}>
      {step === null ? (
        <section className={classes.offer} aria-label={texts.label}>
          <h2>{texts.offer.title}</h2>
          <p>{texts.offer.text}</p>
          <div className={classes.actions}>
            <PrimaryButton onClick={() => setStep(0)}>{texts.offer.start}</PrimaryButton>
            <QuietButton onClick={end}>{texts.offer.skip}</QuietButton>
          </div>
        </section>
      ) : (
        <Step step={step} onStep={setStep} onEnd={end} />
      )}
    </div>
  )
}

interface StepProps {
  step: number
  onStep: (step: number) => void
  onEnd: () => void
}

function Step({ step, onStep, onEnd }: StepProps) {
  const { demo } = useSite()
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const card = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const name = STEPS[step]
  useEffect(() => {
    targetOf(name)?.scrollIntoView({ block: 'nearest' })
    const follow = () => {
      const size = card.current?.getBoundingClientRect()
      const target = targetOf(name)?.getBoundingClientRect()
      const { clientWidth: width, clientHeight: height } = document.documentElement
      if (size) setPlace(placeBeside(target ?? null, size, { width, height }))
    }
    follow()
    // What it points at moves as the page loads, is folded or scrolled.
    const watch = new ResizeObserver(follow)
    watch.observe(document.body)
    window.addEventListener('resize', follow)
    window.addEventListener('scroll', follow, true)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', follow)
      window.removeEventListener('scroll', follow, true)
    }
  }, [name])
  // What is not yet in its place takes no focus.
  const isPlaced = place !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is read from its heading
  useEffect(() => {
    if (isPlaced) heading.current?.focus({ preventScroll: true })
  }, [name, isPlaced])
  const isLast = step === STEPS.length - 1
  const { title, text } = texts.steps[name]
  return (
    <>
      {place?.ring && <div className={classes.ring} style={place.ring} aria-hidden />}
      <section
        ref={card}
        className={classes.card}
        style={place ? { left: place.left, top: place.top } : { visibility: 'hidden' }}
        aria-labelledby={titleId}
        data-step={name}
      >
        <div className={classes.head}>
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title} <span className={classes.count}>{texts.count(step + 1, STEPS.length)}</span>
          </h2>
          <IconButton label={texts.skip} tip="left" size={32} onClick={onEnd}>
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
        <p>{name === 'account' && demo ? texts.steps.account.demo : text}</p>
        <div className={classes.actions}>
          {step > 0 && <QuietButton onClick={() => onStep(step - 1)}>{texts.previous}</QuietButton>}
          {isLast ? (
            <PrimaryButton onClick={onEnd}>{texts.finish}</PrimaryButton>
          ) : (
            <PrimaryButton onClick={() => onStep(step + 1)}>{texts.next}</PrimaryButton>
          )}
          {isLast ? (
            <Link to="/aide" onClick={() => endTour()}>
              {texts.guide}
            </Link>
          ) : (
            <TextButton onClick={onEnd}>{texts.skip}</TextButton>
          )}
        </div>
      </section>
    </>
  )
}
