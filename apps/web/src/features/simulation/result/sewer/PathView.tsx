import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { ProfileView } from '../../../../sewer/ProfileView.tsx'
import { sewerTexts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import type { SimulationJob } from '../../api.ts'
import { RunClock } from '../RunClock.tsx'
import { nodePathQuery } from './api.ts'

/** Longitudinal profile of a closed path, its water moving with the one clock. */
export function PathView({ job, path }: { job: SimulationJob; path: readonly string[] }) {
  const water = useQuery(nodePathQuery(job.id, path))
  if (water.isError) return <Message kind="error">{genericErrorText(water.error)}</Message>
  if (!water.data) return <p role="status">{sewerTexts.path.searching}</p>
  return <ProfileView water={water.data} clock={<RunClock job={job} />} />
}
