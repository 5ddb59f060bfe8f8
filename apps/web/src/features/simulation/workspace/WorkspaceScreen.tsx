import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { part } from '../../../app/part.tsx'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { detailTexts } from '../../../texts/simulation.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { townQuery } from '../../../town/api.ts'
import { Message } from '../../../ui/Message.tsx'
import { jobQuery, type SimulationJob, townOfRun } from '../api.ts'
import { useResultClock } from '../result/state.ts'
import { Inspector } from './Inspector.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import type { Drawing } from './Picking.tsx'
import { sewerWanted, useSewer } from './SewerOverlay.tsx'
import { Stage } from './Stage.tsx'
import { TimeBar } from './TimeBar.tsx'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

const ProfilePanel = part(() => import('./ProfilePanel.tsx'))

/** A finished run as a place to work in: the town is the stage, the answer stands first. */
export default function WorkspaceScreen() {
  const { jobId = '' } = useParams()
  const job = useQuery(jobQuery(jobId))
  if (job.data?.status === 'done') return <Workspace key={jobId} job={job.data} />
  return (
    <div className={classes.outside}>
      <ScreenTitle />
      {job.isPending ? (
        <p role="status">{detailTexts.loading}</p>
      ) : (
        <Message
          kind={job.data ? 'nfo' : 'error'}
          action={<Link to={`/multihydro/${jobId}`}>{texts.toDetail}</Link>}
        >
          {job.data ? texts.notDone : genericErrorText(job.error)}
        </Message>
      )}
    </div>
  )
}

function Workspace({ job }: { job: SimulationJob }) {
  useResultClock(job, true)
  const { network, picks, profile } = useWorkspace()
  const town = useQuery(townQuery(townOfRun(job)))
  const hasNetwork = job.input.drainageModule === 'true'
  const sewer = useSewer(job, hasNetwork && sewerWanted({ network, picks, profile }))
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const { search } = useLocation()
  const { title } = job.input
  useEffect(() => {
    document.title = `${title} – ${texts.title}`
  }, [title])
  return (
    <div className={classes.root} data-profile={profile || undefined}>
      <header className={classes.head}>
        <div className={classes.title}>
          <Link to={`/multihydro/${job.id}`} aria-label={texts.toDetail} title={texts.toDetail}>
            <IconArrowLeft size={20} stroke={1.75} aria-hidden />
          </Link>
          <h1>{title}</h1>
          <nav aria-label={texts.more}>
            <Link to={`/multihydro/${job.id}#outputs`}>{texts.files}</Link>
            <Link to={`/multihydro/${job.id}${search}`}>{texts.inputs}</Link>
            <a href={`/rapport/simulation/${job.id}`}>{texts.report}</a>
          </nav>
        </div>
        <KeyFigures job={job} />
      </header>
      <Stage {...{ job, hasNetwork, drawing, setDrawing }} town={town.data} />
      {profile && hasNetwork && (
        <Suspense fallback={null}>
          <ProfilePanel {...{ job, sewer, drawing, setDrawing }} />
        </Suspense>
      )}
      <Inspector job={job} town={town.data} sewer={sewer} />
      <TimeBar job={job} />
    </div>
  )
}
