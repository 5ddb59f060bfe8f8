import type { Page } from 'playwright-core'

const ACTED_ON =
  /^(button|link|textbox|searchbox|combobox|listbox|slider|spinbutton|checkbox|radio|switch|tab|menuitem|treeitem|option|gridcell)$/
/** A line of a tree: its role, then its name where it has one. */
const LINE = /^\s*- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$/

/**
 * What a screen reader would be told wrong of what is shown: parts that are acted on, and pictures, without a name; tables
 * without heads; headings that skip a level.
 */
export async function spokenFaults(page: Page): Promise<string[]> {
  const tree = (await page.locator('body').ariaSnapshot()).split('\n')
  const faults: string[] = []
  let level = 0
  tree.forEach((line, at) => {
    const [, role, name, rest] = LINE.exec(line) ?? []
    if (role === undefined) return
    const nearby = `${role} near ${tree[Math.max(0, at - 1)].trim().slice(0, 60)}`
    if ((ACTED_ON.test(role) || role === 'img' || role === 'dialog') && !name?.trim())
      faults.push(`${nearby}: no name`)
    if (role !== 'heading') return
    const next = Number(/\[level=(\d)\]/.exec(rest)?.[1] ?? 2)
    if (next > level + 1) faults.push(`heading ${name}: level ${next} after ${level}`)
    level = next
  })
  const tables = await page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter((table) => table.checkVisibility() && !table.querySelector('th'))
      .map((table) => `table without heads: ${table.textContent?.slice(0, 60)}`),
  )
  return [...faults, ...tables]
}
