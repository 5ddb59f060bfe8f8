/** Half of the longest regular distance between two frames: further away no image stands for a moment. */
const REACH_MS = 206_000

/**
 * Index of the image nearest to a moment.
 * @param reachMs how far away an image still stands for the moment
 * @returns null when none does
 */
export function nearestImage(
  images: readonly { datetime: string }[],
  moment: string,
  reachMs = REACH_MS,
): number | null {
  const wanted = Date.parse(moment)
  if (Number.isNaN(wanted) || images.length === 0) return null
  const distance = (index: number) => Math.abs(Date.parse(images[index].datetime) - wanted)
  const best = images.reduce((near, _, index) => (distance(index) < distance(near) ? index : near), 0)
  return distance(best) <= reachMs ? best : null
}
