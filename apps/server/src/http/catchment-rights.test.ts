import { expect, test } from 'vitest'
import { RIGHTS } from './rights.ts'

/** Jobs of other kinds, which name no catchment. */
const ELSEWHERE = /^\w+ \/api\/networks\//

test('every call whose address names a catchment, a run or a land use is held against who sees it', () => {
  const naming = Object.entries(RIGHTS).filter(
    ([key]) => /:catchmentId|:jobId| \/api\/multihydro\/file\/:id/.test(key) && !ELSEWHERE.test(key),
  )
  expect(naming.length).toBeGreaterThan(40)
  const unheld = naming.filter(([key, { catchment = {} }]) =>
    [...key.matchAll(/:(catchmentId|jobId|id)\b/g)].some(([, name]) => !(name in catchment)),
  )
  expect(unheld.map(([key]) => key)).toEqual([])
})
