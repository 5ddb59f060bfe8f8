/** How a ratio of gauge over radar is told. */
export const kindOf = (ratio: number | null | undefined): 'none' | 'under' | 'over' | 'equal' => {
  if (ratio == null) return 'none'
  if (ratio > 1.25) return 'under'
  return ratio < 0.8 ? 'over' : 'equal'
}
