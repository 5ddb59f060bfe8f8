import type { ReactNode } from 'react'
import classes from './MapButtons.module.css'

/** Buttons of the map that belong together. @param below another group stands above */
export const ButtonGroup = ({ below = false, children }: { below?: boolean; children: ReactNode }) => (
  <div className={below ? `${classes.root} ${classes.below}` : classes.root}>{children}</div>
)
