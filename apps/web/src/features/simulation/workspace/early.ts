import { queryClient } from '../../../app/query.ts'
import { townQuery } from '../../../town/api.ts'
import { jobQuery, townOfRun } from '../api.ts'
import { depthFramesQuery } from '../result/depth/api.ts'
import { readWorkspace } from './address.ts'
import { figuresQuery, flowsQuery, runMapQuery } from './api.ts'

/** Asks for what the workspace shows first while its scripts are on their way; who asks again gets these answers. */
export function askEarly(jobId: string, search: string): void {
  void queryClient.prefetchQuery(figuresQuery(jobId))
  void queryClient.prefetchQuery(depthFramesQuery(jobId))
  if (readWorkspace(new URLSearchParams(search)).layer === 'maximum')
    void queryClient.prefetchQuery(runMapQuery(jobId, 'hauteur'))
  void queryClient.prefetchQuery(flowsQuery(jobId))
  queryClient.fetchQuery(jobQuery(jobId)).then(
    (job) => queryClient.prefetchQuery(townQuery(townOfRun(job))),
    // The screen asks again, and says what is wrong.
    Boolean,
  )
}
