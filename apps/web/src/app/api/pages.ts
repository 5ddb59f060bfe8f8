import { type CallOptions, send } from './client.ts'

/** Header of a list that goes on (http/page.ts of the server). */
const NEXT_HEADER = 'radx-next'
/** More than any screen could show; an endless list ends here. */
const MOST_PAGES = 50

/** All pages of a list, one after another. @throws ApiError */
export async function callPages<T>(path: string, options: CallOptions = {}): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const response = await send(path, { ...options, query: { ...options.query, cursor } })
    items.push(...((await response.json()) as T[]))
    cursor = response.headers.get(NEXT_HEADER)
    if (cursor === null) break
  }
  return items
}
