import { playerTexts } from '../texts/player.ts'

const MINUTE_MS = 60_000

/** How long ago an instant was, in words: of the largest whole unit. A clock that runs ahead is now. */
export function ageText(instant: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(instant)) / MINUTE_MS)
  if (minutes < 1) return playerTexts.now
  if (minutes < 60) return playerTexts.ago(minutes, 'min')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return playerTexts.ago(hours, 'h')
  const days = Math.floor(hours / 24)
  if (days < 60) return playerTexts.ago(days, 'j')
  // The date stands beside it.
  const months = Math.floor(days / 30.44)
  return months < 24 ? playerTexts.ago(months, 'mois') : playerTexts.ago(Math.floor(months / 12), 'ans')
}
