import { useSite } from '../../app/site.ts'
import { RichText } from '../../ui/RichText.tsx'
import classes from './Attribution.module.css'

/** Whose background it is; the licence asks for it wherever the tiles are shown. */
export function Attribution() {
  const { tiles } = useSite()
  if (tiles.kind === 'none') return null
  return (
    <small className={classes.root}>
      <RichText html={tiles.attribution} />
    </small>
  )
}
