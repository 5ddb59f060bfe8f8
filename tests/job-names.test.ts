import { expect, test } from 'vitest'
import { jobKinds } from '../apps/server/src/job-kinds.ts'
import { administrationTexts } from '../apps/web/src/texts/administration.ts'

test('the list of work in the administration has a French name for each kind', () => {
  const named = administrationTexts.jobs.kinds
  expect(jobKinds.map(({ name }) => name).filter((name) => named[name] === undefined)).toEqual([])
})
