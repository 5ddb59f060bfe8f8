/** What the tour points at, in this order; the elements carry the name as `data-tour`, entries of the menu their path. */
export const STEPS = ['play', 'place', 'analysis', 'simulation', 'account'] as const
export type TourStep = (typeof STEPS)[number]

/** Where the menu is folded, its button stands for what is in it. */
const MENU = 'menu'
const PATHS: Partial<Record<TourStep, string>> = { analysis: '/analyse', simulation: '/multihydro' }
const GAP = 12
const MARGIN = 8
const RING = 4

/** The element that a step points at; null where the page has none, as of a position that was asked for already. */
export function targetOf(step: TourStep): Element | null {
  return (
    [PATHS[step] ?? step, MENU]
      .map((name) => document.querySelector(`[data-tour="${name}"]`))
      .find(isShown) ?? null
  )
}

function isShown(element: Element | null): element is Element {
  return element !== null && element.getClientRects().length > 0
}

interface Size {
  width: number
  height: number
}

export interface Place {
  left: number
  top: number
  /** Round the target; null without one. */
  ring: { left: number; top: number; width: number; height: number } | null
}

/**
 * Puts a card below its target, or above where there is no room below, inside the window; in the middle without a
 * target. All in CSS pixels of the window.
 */
export function placeBeside(
  target: (Size & { left: number; top: number }) | null,
  card: Size,
  window: Size,
): Place {
  const inside = (at: number, size: number, room: number) =>
    Math.max(MARGIN, Math.min(at, room - size - MARGIN))
  if (target === null)
    return {
      left: inside((window.width - card.width) / 2, card.width, window.width),
      top: inside((window.height - card.height) / 2, card.height, window.height),
      ring: null,
    }
  const below = target.top + target.height + GAP
  const fits = below + card.height + MARGIN <= window.height
  return {
    left: inside(target.left + target.width / 2 - card.width / 2, card.width, window.width),
    top: inside(fits ? below : target.top - GAP - card.height, card.height, window.height),
    ring: {
      left: target.left - RING,
      top: target.top - RING,
      width: target.width + 2 * RING,
      height: target.height + 2 * RING,
    },
  }
}
