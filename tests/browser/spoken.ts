import type { Page } from 'playwright-core'

const ACTED_ON =
  /^(button|link|textbox|searchbox|combobox|listbox|slider|spinbutton|checkbox|radio|switch|tab|menuitem|treeitem|option)$/
/** What is in these is no more than a part of their name. */
const WHOLE = /^(button|checkbox|img|menuitem|option|radio|slider|switch|tab)$/
/** A line of a tree: its depth, its role, then its name where it has one. */
const LINE = /^(\s*)- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/

/**
 * What a screen reader would be told wrong of what is shown: parts that are acted on, and pictures, without a name; tables
 * without heads; sliders whose value is a bare number; headings that skip a level.
 */
export async function spokenFaults(page: Page): Promise<string[]> {
  const tree = (await page.locator('body').ariaSnapshot()).split('\n')
  const faults: string[] = []
  let level = 0
  let whole = Number.POSITIVE_INFINITY
  tree.forEach((line, at) => {
    const [, indent = '', role, name, rest] = LINE.exec(line) ?? []
    if (role === undefined || indent.length > whole) return
    whole = WHOLE.test(role) ? indent.length : Number.POSITIVE_INFINITY
    const nearby = `${role} near ${tree[Math.max(0, at - 1)].trim().slice(0, 60)}`
    if ((ACTED_ON.test(role) || role === 'img' || role === 'dialog') && !name?.trim())
      faults.push(`${nearby}: no name`)
    if (role !== 'heading') return
    const next = Number(/\[level=(\d)\]/.exec(rest)?.[1] ?? 2)
    if (next > level + 1) faults.push(`heading ${name}: level ${next} after ${level}`)
    level = next
  })
  const shown = await page.evaluate(() => {
    const without = (of: string, inside: string, word: string) =>
      [...document.querySelectorAll<HTMLElement>(of)]
        .filter(
          (element) =>
            element.checkVisibility() && !element.matches(inside) && !element.querySelector(inside),
        )
        .map(
          (element) => `${word}: ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 60)}`,
        )
    return [
      ...without('table', ':has(th)', 'table without heads'),
      ...without('[role="slider"], input[type="range"]', '[aria-valuetext]', 'slider without words'),
    ]
  })
  return [...faults, ...shown]
}
