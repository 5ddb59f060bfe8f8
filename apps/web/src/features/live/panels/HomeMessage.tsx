import { useQuery } from '@tanstack/react-query'
import { columnTexts } from '../../../texts/live-column.ts'
import { RichText } from '../../../ui/RichText.tsx'
import { homeMessageQuery } from '../api.ts'
import classes from './HomeMessage.module.css'

/** The manager's published message; nothing when there is none, or when it cannot be had. */
export function HomeMessage() {
  const { data } = useQuery(homeMessageQuery)
  const main = Array.isArray(data) ? data[0]?.main : undefined
  if (!main) return null
  return (
    <section className={classes.root} aria-label={columnTexts.titles.message}>
      <RichText html={main} />
    </section>
  )
}
