import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './ResultSection.module.css'

interface Props {
  title: string
  /** A short reading at the right of the title. */
  aside?: ReactNode
  open: boolean
  onToggle: (open: boolean) => void
  /** Shown whether the part is open or not. */
  notice?: ReactNode
  children: ReactNode
}

/** A part of a result that opens on demand; what is closed is not there and fetches nothing. */
export function ResultSection({ title, aside, open, onToggle, notice, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={`${id}title`} className={classes.root}>
      <h2>
        <button
          type="button"
          id={`${id}title`}
          aria-expanded={open}
          aria-controls={`${id}content`}
          onClick={() => onToggle(!open)}
        >
          <IconChevronDown size={20} stroke={1.75} aria-hidden />
          <span>{title}</span>
        </button>
        {aside}
      </h2>
      {notice}
      <div id={`${id}content`} className={classes.content} hidden={!open}>
        {open && children}
      </div>
    </section>
  )
}
