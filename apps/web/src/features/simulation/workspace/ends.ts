import { type Kept, MOST_PICKS } from './address.ts'

/** The last two chosen nodes; null without two. */
export function endsOf(picks: readonly Kept[]): [string, string] | null {
  const names = picks.flatMap((pick) => (pick.kind === 'node' ? [pick.name] : []))
  const [start, end] = names.slice(-2)
  return end === undefined ? null : [start, end]
}

/** Two junctions after what is kept, so that a profile goes between them. */
export function withEnds(picks: readonly Kept[], ends: readonly [string, string]): Kept[] {
  const others = picks.filter((pick) => pick.kept && !(pick.kind === 'node' && ends.includes(pick.name)))
  return [
    ...others.slice(0, MOST_PICKS - 2),
    ...ends.map((name): Kept => ({ kind: 'node', name, kept: true })),
  ]
}
