import { listTexts } from '../../../texts/simulation.ts'
import classes from './LuseImage.module.css'

interface Props {
  /** JPEG, base64 without a prefix; undefined while it loads. */
  base64: string | undefined
  alt: string
}

/** Picture of a land-use file, one pixel a cell. */
export function LuseImage({ base64, alt }: Props) {
  if (base64 === undefined) return <span className={classes.root} aria-busy="true" />
  if (base64 === '') return <span className={classes.root}>{listTexts.noImage}</span>
  return <img className={classes.root} src={`data:image/jpeg;base64,${base64}`} alt={alt} />
}
