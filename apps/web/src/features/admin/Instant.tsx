import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useSite } from '../../app/site.ts'
import classes from './AdminScreen.module.css'

/** A date and its time on one line, in the site's zone. */
export function Instant({ at }: { at: string }) {
  const { timeZone } = useSite()
  return <span className={classes.instant}>{formatDateTimeFr(at, timeZone)}</span>
}
