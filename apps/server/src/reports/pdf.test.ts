import type { Report } from '@radx/contracts'
import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { reportPdf } from './pdf.ts'

const report = (rows: number): Report => ({
  title: 'Rapport',
  fileName: 'rapport.pdf',
  subtitle: 'Une période',
  dated: '2026-06-01T00:00:00Z',
  blocks: [
    {
      kind: 'table',
      caption: 'Provenance',
      head: ['Élément', 'Valeur'],
      rows: Array.from({ length: rows }, (_, k) => [`ligne ${k + 1}`, 'x']),
    },
  ],
})

/** Rows of the table on each page that has any. */
async function rowsByPage(rows: number): Promise<number[]> {
  const document = await getDocumentProxy(await reportPdf(report(rows)))
  const counts: number[] = []
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent()
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
    counts.push(text.match(/ligne \d+/g)?.length ?? 0)
  }
  return counts.filter((count) => count > 0)
}

test('no row of a table stands alone on the next page, and none is lost', async () => {
  const [first, next] = await rowsByPage(200)
  for (const over of [1, 2]) {
    const rows = first + 3 * next + over
    expect(await rowsByPage(rows)).toEqual([first, next, next, next + over - 3, 3])
  }
})
