import type { ReactNode } from 'react'
import classes from './GaugeComparison.module.css'

/** A table that scrolls sideways where it is wider than the page. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard
  <section className={classes.table} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
