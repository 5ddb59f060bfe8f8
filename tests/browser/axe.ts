import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What is looked for, and where: everything in the whole page unless it is narrowed. */
export class AccessibilityCheck {
  readonly #page: Page
  #include: string[] = []
  #exclude: string[] = []
  #options: RunOptions = {}

  constructor(page: Page) {
    this.#page = page
  }

  /** Only what is inside elements of this selector. */
  include(selector: string): this {
    this.#include.push(selector)
    return this
  }

  exclude(selector: string): this {
    this.#exclude.push(selector)
    return this
  }

  /** Replaces the options of axe that were given before, tags and rules among them. */
  options(options: RunOptions): this {
    this.#options = options
    return this
  }

  withTags(values: string[]): this {
    this.#options = { ...this.#options, runOnly: { type: 'tag', values } }
    return this
  }

  withRules(values: string[]): this {
    this.#options = { ...this.#options, runOnly: { type: 'rule', values } }
    return this
  }

  disableRules(rules: string[]): this {
    const off = Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]))
    this.#options = { ...this.#options, rules: { ...this.#options.rules, ...off } }
    return this
  }

  /**
   * Asks axe, which is put into a document once. Only violations come back: to write down every element that passes, and
   * send it here, takes four times as long as to look at them.
   */
  async analyze(): Promise<{ violations: Result[] }> {
    if (!(await this.#page.evaluate(() => 'axe' in window))) await this.#page.evaluate(SOURCE)
    const context = { include: this.#include.length > 0 ? this.#include : ['html'], exclude: this.#exclude }
    const options: RunOptions = { ...this.#options, resultTypes: ['violations'] }
    const violations = await this.#page.evaluate(
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
