import type { Page } from 'playwright-core'

/** What stands for a drawing where it cannot be seen. */
type Alternative = 'table' | 'text' | 'nothing'
export interface Drawing {
  name: string
  alternative: Alternative
}

/**
 * Every chart, map and picture of the page that is larger than an icon, in page order, with what stands for it: a
 * table with named columns and at least one row, inside its figure or section or pointed at by `aria-details`; else
 * a text, which is its label, its caption, the sentence of a map, or the label of the section that it fills.
 */
export function drawingsOf(page: Page): Promise<Drawing[]> {
  return page.evaluate(() => {
    const MAP = '.maplibregl-map'
    const text = (id: string | null) => (id && document.getElementById(id)?.textContent) || ''
    const isTable = (table: Element | null | undefined) =>
      table instanceof HTMLTableElement &&
      table.tBodies[0]?.rows.length > 0 &&
      table.tHead !== null &&
      [...table.tHead.querySelectorAll('th')].every((th) => th.textContent || th.getAttribute('aria-label'))
    const large = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width >= 60 && height >= 24
    }
    const shown = (element: Element) =>
      element.checkVisibility() && element.closest('[data-decoration]') === null
    const names = (element: Element) =>
      (
        element.getAttribute('aria-label') ||
        text(element.getAttribute('aria-labelledby')) ||
        element.getAttribute('alt') ||
        element.querySelector('figcaption')?.textContent ||
        ''
      ).trim()
    const found: { name: string; alternative: 'table' | 'text' | 'nothing' }[] = []
    for (const element of document.querySelectorAll('figure, canvas, svg, img, video')) {
      if (!shown(element)) continue
      // What a figure holds is told by the figure.
      if (element.tagName !== 'FIGURE' && element.closest('figure')) continue
      if (element.tagName !== 'FIGURE' && !large(element)) continue
      const map = element.closest(MAP)
      if (map) {
        if (!element.matches('.maplibregl-canvas')) continue
        const told = map.parentElement?.querySelector('[data-testid="map-statement"]')?.textContent ?? ''
        const holder = map.closest('section[aria-label], [role="group"][aria-label]')
        const name = told === '' ? (holder ? names(holder) : '') : 'Carte radar'
        found.push({ name, alternative: name === '' ? 'nothing' : 'text' })
        continue
      }
      const details = element.getAttribute('aria-details')
      const isFigure = element.tagName === 'FIGURE'
      const drawn = isFigure ? element.querySelector('canvas, svg') !== null : true
      const holder = isFigure ? element : element.closest('section')
      const tables = drawn ? [...(holder?.querySelectorAll('table') ?? [])] : []
      if (details) tables.push(document.getElementById(details) as HTMLTableElement)
      const name =
        names(element) ||
        (isFigure ? [...element.querySelectorAll('[aria-label]')].map(names).join(' ') : '') ||
        (holder ? names(holder) || (holder.querySelector('h2, h3')?.textContent ?? '') : '')
      // The chart library draws into a figure that is nothing without its table.
      const needsTable = isFigure && element.querySelector('[data-ready] canvas') !== null
      const alternative = tables.some(isTable) ? 'table' : name === '' || needsTable ? 'nothing' : 'text'
      found.push({ name: name || element.outerHTML.slice(0, 200), alternative })
    }
    return found
  })
}

/** Drawings that have a table, by name. */
export const tabled = (drawings: readonly Drawing[]) =>
  drawings.filter(({ alternative }) => alternative === 'table').map(({ name }) => name)

/** Drawings that nothing stands for. */
export const untold = (drawings: readonly Drawing[]) =>
  drawings.filter(({ alternative }) => alternative === 'nothing').map(({ name }) => name)
