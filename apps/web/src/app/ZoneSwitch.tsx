import { useQuery, useQueryClient } from '@tanstack/react-query'
import { zoneTexts as texts } from '../texts/zone.ts'
import classes from './Header.module.css'
import { type ShownSite, siteQuery } from './site.ts'

/** Read by public/theme-init.js. */
const KEY = 'radx-time'

/** Hours in UTC or in the site's own time, on every screen and kept in this browser. */
export function ZoneSwitch() {
  const client = useQueryClient()
  const { data: site } = useQuery(siteQuery)
  if (!site || site.civilZone === 'UTC') return null
  const isUtc = site.timeZone === 'UTC'
  const town = texts.townOf(site.civilZone)
  return (
    <button
      type="button"
      className={classes.zone}
      aria-label={isUtc ? texts.toLocal(town) : texts.toUtc(town)}
      title={isUtc ? texts.toLocal(town) : texts.toUtc(town)}
      onClick={() => {
        keep(!isUtc)
        client.setQueryData<ShownSite>(siteQuery.queryKey, {
          ...site,
          timeZone: isUtc ? site.civilZone : 'UTC',
        })
      }}
    >
      {isUtc ? 'UTC' : town}
    </button>
  )
}

function keep(utc: boolean): void {
  const { dataset } = document.documentElement
  if (utc) dataset.utc = '1'
  else delete dataset.utc
  try {
    if (utc) localStorage.setItem(KEY, 'utc')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the choice holds until the page is left.
  }
}
