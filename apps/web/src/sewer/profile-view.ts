import { PROFILE_GEOMETRY } from '@radx/contracts/simulation-constants'
import type { Profile } from './profile.ts'

/** Part of a path that a drawing shows, m from its start. */
export type Span = readonly [number, number]

/** Nothing in a sewer is read better from nearer than this, m. */
const LEAST_M = 20

const within = (whole: Span, from: number, length: number): Span => {
  const kept = Math.min(Math.max(length, Math.min(LEAST_M, whole[1] - whole[0])), whole[1] - whole[0])
  const low = Math.min(Math.max(from, whole[0]), whole[1] - kept)
  return [low, low + kept]
}

/** The span by a factor below or above 1 shorter or longer; what stands at `at` metres stays where it is. */
export function zoomSpan(whole: Span, [low, high]: Span, factor: number, at = (low + high) / 2): Span {
  const least = Math.min(LEAST_M, whole[1] - whole[0])
  const length = Math.min(Math.max((high - low) * factor, least), whole[1] - whole[0])
  return within(whole, at - ((at - low) / (high - low)) * length, length)
}

/** The span moved along the path, as far as there is some of it. */
export const moveSpan = (whole: Span, [low, high]: Span, byM: number): Span =>
  within(whole, low + byM, high - low)

export const isWhole = (whole: Span, span: Span): boolean =>
  span[1] - span[0] >= (whole[1] - whole[0]) * 0.9999

export const isNearest = (span: Span): boolean => span[1] - span[0] <= LEAST_M * 1.0001

/** Levels of what a span shows at any time, its margin included; the whole profile's where it shows nothing. */
export function levelsIn({ nodes, pipes, z }: Profile, [low, high]: Span): Span {
  let [bottom, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const see = (from: number, to: number) => {
    bottom = Math.min(bottom, from)
    top = Math.max(top, to)
  }
  for (const { x, invertM, topM } of nodes) if (x >= low && x <= high) see(invertM, topM)
  for (const { x0, x1, invert0M, invert1M, heightM, energyTopM } of pipes) {
    if (x1 < low || x0 > high) continue
    if (energyTopM !== null) see(energyTopM, energyTopM)
    const level = (x: number) => invert0M + ((x - x0) / (x1 - x0)) * (invert1M - invert0M)
    for (const x of [Math.max(low, x0), Math.min(high, x1)]) see(level(x), level(x) + heightM)
  }
  if (bottom > top) return z
  const margin = PROFILE_GEOMETRY.elevationMargin
  return [bottom - margin, top + margin]
}

/** Width of a letter and room between two labels, px. */
const LETTER_PX = 7
const GAP_PX = 14

const widthOf = (text: string): number => text.length * LETTER_PX

/** Whether a text has room in so many px. */
export const fits = (text: string, px: number): boolean => widthOf(text) <= px

/** Those of the labels, centred on their places from left to right, that stand apart from each other. */
export function thinned<T extends { name: string }>(
  labels: readonly T[],
  px: (label: T) => number,
  text: (label: T) => string = ({ name }) => name,
): T[] {
  let free = Number.NEGATIVE_INFINITY
  return labels.filter((label) => {
    const half = widthOf(text(label)) / 2
    if (px(label) - half < free) return false
    free = px(label) + half + GAP_PX
    return true
  })
}
