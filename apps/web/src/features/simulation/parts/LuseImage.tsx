import { listTexts } from '../../../texts/simulation.ts'
import classes from './LuseImage.module.css'

interface Props {
  /** JPEG, base64 without a prefix; undefined while it loads. */
  base64: string | undefined
  alt: string
}

/**
 * Lets the page show where a picture of a land-use file is white, outside the catchment: what is on a dark page is no
 * light frame. On each screen with such pictures, once.
 */
export function LuseGround() {
  // 765 is white; from three quarters of it down a colour stands whole.
  const opaque = '-1.33 -1.33 -1.33 0 4'
  return (
    <svg className={classes.ground} aria-hidden="true">
      <filter id="luse-ground" colorInterpolationFilters="sRGB">
        <feColorMatrix values={`1 0 0 0 0  0 1 0 0 0  0 0 1 0 0  ${opaque}`} />
        {/* Around the picture, where nothing is, black would stand otherwise, over what is beside it. */}
        <feComposite operator="in" in2="SourceAlpha" />
      </filter>
    </svg>
  )
}

/** Picture of a land-use file, one pixel a cell. */
export function LuseImage({ base64, alt }: Props) {
  if (base64 === undefined) return <span className={classes.root} aria-busy="true" />
  if (base64 === '') return <span className={classes.root}>{listTexts.noImage}</span>
  return <img className={classes.root} src={`data:image/jpeg;base64,${base64}`} alt={alt} />
}
