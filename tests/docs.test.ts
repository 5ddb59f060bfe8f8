import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const DOCS = resolve(import.meta.dirname, '../docs')

/** A file that a page links to, with the names that it says to read there. */
interface Hop {
  label: string
  path: string
  names: string[]
}

/** Links such as [`run.ts`](../run.ts): `runSimulation`, `advance`; names end with the sentence's part. */
function hopsOf(page: string): Hop[] {
  const text = readFileSync(join(DOCS, page), 'utf8').replace(/\s+/g, ' ')
  return [...text.matchAll(/\[`([^`]+)`\]\(([^)#]+)\)(?:: |\s\()?((?:`[^`]+`(?:, )?)*)/g)].map(
    ([, label, path, names]) => ({
      label,
      path: resolve(DOCS, dirname(page), path),
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    }),
  )
}

describe.each(['life-of-a-frame.md', 'life-of-a-run.md'])('%s', (page) => {
  const hops = hopsOf(page)

  test('tells of files that exist, each by its own name', () => {
    expect(hops.length).toBeGreaterThan(15)
    for (const { label, path } of hops)
      expect([label, readFileSync(path).length > 0]).toEqual([basename(path), true])
  })

  test('names what those files have', () => {
    expect(hops.flatMap(({ names }) => names).length).toBeGreaterThan(20)
    for (const { label, path, names } of hops) {
      const source = readFileSync(path, 'utf8')
      const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      expect(missing, label).toEqual([])
    }
  })
})
