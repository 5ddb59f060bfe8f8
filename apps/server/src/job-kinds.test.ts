import { expect, test } from 'vitest'
import { jobKinds } from './job-kinds.ts'

test.each(jobKinds.map((kind) => [kind.name, kind] as const))(
  'a try of %s ends within the day that the queue allows',
  (_, { timeoutSeconds }) => {
    // The queue is given a minute more than the try itself.
    expect(timeoutSeconds + 60).toBeLessThanOrEqual(86_400)
  },
)
