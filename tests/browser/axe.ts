import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What is looked for, and where: everything in the whole page unless it is narrowed. */
export class AccessibilityCheck {
  private readonly page: Page
  private included: string[] = []
  private excluded: string[] = []
  private given: RunOptions = {}

  constructor(page: Page) {
    this.page = page
  }

  /** Only what is inside elements of this selector. */
  include(selector: string): this {
    this.included.push(selector)
    return this
  }

  exclude(selector: string): this {
    this.excluded.push(selector)
    return this
  }

  /** Replaces the options of axe that were given before, tags and rules among them. */
  options(options: RunOptions): this {
    this.given = options
    return this
  }

  withTags(values: string[]): this {
    this.given = { ...this.given, runOnly: { type: 'tag', values } }
    return this
  }

  withRules(values: string[]): this {
    this.given = { ...this.given, runOnly: { type: 'rule', values } }
    return this
  }

  disableRules(rules: string[]): this {
    const off = Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]))
    this.given = { ...this.given, rules: { ...this.given.rules, ...off } }
    return this
  }

  /**
   * Asks axe, which is put into a document once. Only violations come back: to write down every element that passes, and
   * send it here, takes four times as long as to look at them.
   */
  async analyze(): Promise<{ violations: Result[] }> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(SOURCE)
    const context = { include: this.included.length > 0 ? this.included : ['html'], exclude: this.excluded }
    const options: RunOptions = { ...this.given, resultTypes: ['violations'] }
    const violations = await this.page.evaluate(
      async ([where, how]) => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') }
        return (await axe.run(where, how)).violations
      },
      [context, options] as const,
    )
    return { violations }
  }
}

/** Looks for accessibility faults of a page. */
export const axe = (page: Page): AccessibilityCheck => new AccessibilityCheck(page)
