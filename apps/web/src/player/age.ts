import { playerTexts } from '../texts/player.ts'

const MINUTE_MS = 60_000

/** How long ago an instant was, in words: of the largest whole unit. A clock that runs ahead is now. */
export function ageText(instant: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(instant)) / MINUTE_MS)
  if (minutes < 1) return playerTexts.now
  if (minutes < 60) return playerTexts.ago(minutes, 'min')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? playerTexts.ago(hours, 'h') : playerTexts.ago(Math.floor(hours / 24), 'j')
}
