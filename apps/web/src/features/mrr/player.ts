/** Frames of an hour: one a record. */
export interface Player {
  frame: number
  count: number
  playing: boolean
}

export const newPlayer = (count: number): Player => ({ frame: 0, count, playing: false })

/** A frame outside the range is ignored. */
export const goTo = (player: Player, frame: number): Player =>
  frame >= 0 && frame < player.count ? { ...player, frame } : player

/** The next frame, and the first again after the last. */
export const advance = (player: Player): Player =>
  player.count === 0 ? player : { ...player, frame: (player.frame + 1) % player.count }

export const toggle = (player: Player): Player => ({
  ...player,
  playing: player.count > 1 && !player.playing,
})
