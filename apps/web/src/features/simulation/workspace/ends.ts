import type { Kept } from './address.ts'

/** The last two chosen nodes; null without two. */
export function endsOf(picks: readonly Kept[]): [string, string] | null {
  const names = picks.flatMap((pick) => (pick.kind === 'node' ? [pick.name] : []))
  const [start, end] = names.slice(-2)
  return end === undefined ? null : [start, end]
}
