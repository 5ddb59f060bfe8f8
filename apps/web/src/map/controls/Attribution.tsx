import type { PublicSite } from '@radx/contracts/site'
import { useSite } from '../../app/site.ts'
import { RichText } from '../../ui/RichText.tsx'
import { type Ground, useGround } from '../ground.ts'
import classes from './Attribution.module.css'

/** Whose background it is, as HTML; the licence asks for it wherever the tiles are shown. @param also whose data else there is, as text */
export function attributionOf(ground: Ground | null, tiles: PublicSite['tiles'], also?: string): string {
  const named = [ground?.attribution, tiles.kind === 'none' ? undefined : tiles.attribution]
  const [own, theirs] = named.map((text) => text?.replace(/<[^>]*>/g, ''))
  // Who is named already is not named twice.
  if (own !== undefined && theirs !== undefined && own.includes(theirs)) named.pop()
  if (also) named.unshift(also.replace(/&/g, '&amp;').replace(/</g, '&lt;'))
  return named.filter((text) => text !== undefined).join(' · ')
}

export function Attribution({ also }: { also?: string }) {
  const { tiles } = useSite()
  const html = attributionOf(
    useGround((state) => state.ground),
    tiles,
    also,
  )
  if (html === '') return null
  return (
    <small className={classes.root}>
      <RichText html={html} />
    </small>
  )
}
