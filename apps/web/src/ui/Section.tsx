import type { ReactNode } from 'react'
import classes from './Section.module.css'

interface Props {
  title: string
  /** A short reading or a button at the right of the title. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a column: a heading and what belongs to it, set off by room rather than by boxes. */
export function Section({ title, aside, children }: Props) {
  return (
    <section className={classes.root} aria-label={title}>
      <header className={classes.header}>
        <h2 className={classes.title}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** A section that opens on demand. */
export function CollapsibleSection({ title, children }: Omit<Props, 'aside'>) {
  return (
    <details className={classes.root}>
      <summary className={classes.summary}>
        <h2 className={classes.title}>{title}</h2>
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  )
}
