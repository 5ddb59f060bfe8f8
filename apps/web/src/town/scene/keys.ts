import type { KeyboardEvent } from 'react'
import type { OrbitHandle } from './Orbit.tsx'

const TURN = Math.PI / 24
const NEARER = 1.15
const SLIDE = 0.1
const TURNS: Record<string, [number, number, number]> = {
  ArrowLeft: [-TURN, 0, 1],
  ArrowRight: [TURN, 0, 1],
  ArrowUp: [0, TURN, 1],
  ArrowDown: [0, -TURN, 1],
  '+': [0, 0, 1 / NEARER],
  '=': [0, 0, 1 / NEARER],
  '-': [0, 0, NEARER],
}
const SLIDES: Record<string, [number, number]> = {
  ArrowLeft: [-SLIDE, 0],
  ArrowRight: [SLIDE, 0],
  ArrowUp: [0, SLIDE],
  ArrowDown: [0, -SLIDE],
}

/**
 * Arrows turn a view, with Shift they go on over the ground, + and - come nearer and go away, 0 goes home.
 * @returns whether the key meant anything
 */
export function moveByKey(event: KeyboardEvent, handle: OrbitHandle | null): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return false
  const [turn, slide] = [TURNS[event.key], SLIDES[event.key]]
  if (event.shiftKey && slide) handle?.slide(...slide)
  else if (turn) handle?.move(...turn)
  else if (event.key === '0') handle?.reset()
  else return false
  event.preventDefault()
  return true
}
