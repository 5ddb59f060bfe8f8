import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** What is open, in the order of opening. */
const open: number[] = []
let count = 0

/**
 * Gives the focus back to what had it when something opened over the page, also when that something is mounted open
 * or comes late. Where the opener has gone meanwhile, or waits unseen, its section takes the focus, or else the page, so
 * that the way on stays short.
 */
export function useFocusReturn(opened: boolean): void {
  const trail = useRef<HTMLElement[] | null>(null)
  // Read while drawing: once drawn, the focus is inside already.
  if (opened && trail.current === null) trail.current = trailOf(document.activeElement)
  useEffect(() => {
    if (!opened) return
    const own = ++count
    open.push(own)
    return () => {
      open.splice(open.indexOf(own), 1)
      const back = trail.current ?? []
      trail.current = null
      // After the focus trap has let go, and the opener may be hidden no longer.
      setTimeout(() => {
        // What opened in its place has the focus.
        if (open.some((other) => other > own) || !focusIsFree()) return
        focusFirst(back)
        keep(back, own, TRIES)
      })
    }
  }, [opened])
}

/**
 * Gives the focus to the section around, or else to the page, when an element goes away with the focus in it: what was
 * removed from a list takes its buttons along.
 */
export function useFocusOutlives(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const at = root.current
    return () => {
      if (!at?.contains(document.activeElement)) return
      // Where it was is known only while it is there.
      const around = trailOf(at)
      requestAnimationFrame(() => {
        if (!at.isConnected && isNowhere(document.activeElement)) focusFirst(around)
      })
    }
  }, [root])
}

/**
 * Takes over the focus of the button that made this come and went with it; a page opened by its link keeps its start.
 * @returns for the element that takes it, which has a `tabIndex`
 */
export function useFocusTaken<T extends HTMLElement>(): RefObject<T | null> {
  const place = useRef<T>(null)
  // Read while drawing: once drawn, the button has gone.
  const before = useRef(document.activeElement)
  useEffect(() => {
    if (isNowhere(document.activeElement) && !isNowhere(before.current))
      place.current?.focus({ preventScroll: true })
  }, [])
  return place
}

/** Images for which a focus that falls back to nowhere is given back: what closes may let go late. */
const TRIES = 20

function keep(back: readonly HTMLElement[], own: number, tries: number): void {
  if (tries === 0) return
  requestAnimationFrame(() => {
    if (open.some((other) => other > own)) return
    if (isNowhere(document.activeElement)) focusFirst(back)
    keep(back, own, tries - 1)
  })
}

/** An element, its section and the page, innermost first; empty where nothing had the focus. */
function trailOf(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element === document.body) return []
  const trail = [element]
  for (let at = element.parentElement; at; at = at.parentElement)
    if (at.matches('section, main')) trail.push(at)
  return trail
}

/** Nobody has moved the focus on purpose: it is nowhere, or still in what closes. */
function focusIsFree(): boolean {
  const { activeElement } = document
  return isNowhere(activeElement) || activeElement.closest('[role="dialog"]') !== null
}

const isNowhere = (element: Element | null): element is null => element === null || element === document.body

const mainOfPage = () => document.querySelector<HTMLElement>('main')

function focusFirst(trail: readonly HTMLElement[]): void {
  const [opener] = trail
  if (!opener) return
  const target = trail.find((element) => element.isConnected && element.checkVisibility()) ?? mainOfPage()
  if (!target) return
  if (target !== opener && !target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
