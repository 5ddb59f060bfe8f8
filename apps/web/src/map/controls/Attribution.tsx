import { useSite } from '../../app/site.ts'
import { RichText } from '../../ui/RichText.tsx'
import { useGround } from '../ground.ts'
import classes from './Attribution.module.css'

/** Whose background it is; the licence asks for it wherever the tiles are shown. @param also whose data else there is, as text */
export function Attribution({ also }: { also?: string }) {
  const { tiles } = useSite()
  const ground = useGround((state) => state.ground)
  const named = [ground?.attribution, tiles.kind === 'none' ? undefined : tiles.attribution]
  const [own, theirs] = named.map((text) => text?.replace(/<[^>]*>/g, ''))
  // Who is named already is not named twice.
  if (own !== undefined && theirs !== undefined && own.includes(theirs)) named.pop()
  if (also) named.unshift(also.replace(/&/g, '&amp;').replace(/</g, '&lt;'))
  const html = named.filter((text) => text !== undefined).join(' · ')
  if (html === '') return null
  return (
    <small className={classes.root}>
      <RichText html={html} />
    </small>
  )
}
