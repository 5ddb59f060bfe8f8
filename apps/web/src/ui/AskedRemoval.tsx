import { Button } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { removalTexts as texts } from '../texts/removal.ts'
import classes from './AskedRemoval.module.css'
import { useFocusOutlives } from './focus-return.ts'
import { TextButton } from './TextButton.tsx'

interface Props {
  /** What the button reads, and what it is called where several read the same. */
  label: string
  name?: string
  /** What goes, as a question. */
  ask: string
  onYes: () => void
}

/** A removal that asks once: what somebody typed or gathered does not go with one click. */
export function AskedRemoval({ label, name = label, ask, onYes }: Props) {
  const [asked, setAsked] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  useFocusOutlives(opener)
  const close = () => {
    setAsked(false)
    opener.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <div className={classes.root}>
      <span ref={opener}>
        <TextButton aria-label={name} aria-expanded={asked} onClick={() => setAsked(true)}>
          {label}
        </TextButton>
      </span>
      {asked && (
        <fieldset className={classes.question} aria-label={name} onKeyDown={onKeyDown}>
          <p>{ask}</p>
          <Button
            size="compact-md"
            color="red.9"
            onClick={() => {
              close()
              onYes()
            }}
          >
            {texts.yes}
          </Button>
          <Button size="compact-md" variant="default" autoFocus onClick={close}>
            {texts.no}
          </Button>
        </fieldset>
      )}
    </div>
  )
}
