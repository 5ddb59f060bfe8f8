import type { PublicSite } from '@radx/contracts/site'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { zoneOffsetMs } from '@radx/locale/time'
import { attributionOf } from '../map/controls/Attribution.tsx'
import { useGround } from '../map/ground.ts'

/** A moment with its zone, which a picture that leaves the page must say itself. */
export function zonedFr(instant: string | number, timeZone: string): string {
  const ms = typeof instant === 'number' ? instant : Date.parse(instant)
  return `${formatDateTimeFr(ms, timeZone)} (${offsetText(zoneOffsetMs(ms, timeZone))})`
}

/** As `UTC+2`; `UTC+5:30` where it is no whole hour. */
export function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'UTC'
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const rest = minutes % 60
  return `UTC${offsetMs < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Whose data a picture shows, as plain text. @param also whose there is besides */
export function attributionText(site: PublicSite, also?: string): string {
  const html = attributionOf(useGround.getState().ground, site.tiles, also)
  const text = new DOMParser().parseFromString(html, 'text/html').body.textContent ?? ''
  return [site.name, text].filter((part) => part !== '').join(' · ')
}

/** As a part of a file's name: `20210704T1550Z`. */
export const stamp = (instant: string | number): string =>
  new Date(instant)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/(\d{4})\d{2}\.\d+Z$/, '$1Z')
