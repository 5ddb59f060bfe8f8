import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { ProfileView } from '../../../../sewer/ProfileView.tsx'
import { sewerTexts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import type { SimulationJob } from '../../api.ts'
import { RunClock } from '../RunClock.tsx'
import { nodePathQuery } from './api.ts'

interface Props {
  job: SimulationJob
  path: readonly string[]
  /** Highest levels of the run by node, m; the drawing then has their envelope. */
  highest?: ReadonlyMap<string, number>
  /** The page has the clock already. */
  clockElsewhere?: boolean
  /** Of the drawing, px. */
  height?: number
}

/** Longitudinal profile of a closed path, its water moving with the one clock. */
export function PathView({ job, path, highest, clockElsewhere = false, height }: Props) {
  const water = useQuery(nodePathQuery(job.id, path))
  if (water.isError) return <Message kind="error">{genericErrorText(water.error)}</Message>
  if (!water.data) return <p role="status">{sewerTexts.path.searching}</p>
  return (
    <ProfileView
      water={water.data}
      highest={highest}
      height={height}
      clock={clockElsewhere ? undefined : <RunClock job={job} />}
    />
  )
}
