import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { WhileSignedIn } from '../../../app/auth/RequireAuth.tsx'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { simulationTexts, detailTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { isOpen, isWithheld, jobQuery, type SimulationJob } from '../api.ts'
import { Comparison } from '../result/land-use/Comparison.tsx'
import { Header } from './Header.tsx'
import { JobFooter } from './JobFooter.tsx'
import { LandUse } from './LandUse.tsx'
import { Outputs } from './Outputs.tsx'
import { ModulesPanel, Notes, Summary } from './Panels.tsx'
import { Progress } from './Progress.tsx'
import { Rain } from './Rain.tsx'
import { Result } from './Result.tsx'
import { RESULT_SECTIONS } from './result-sections.ts'
import classes from './SimulationDetailScreen.module.css'
import { Slideshow } from './Slideshow.tsx'

export default function SimulationDetailScreen() {
  const { jobId = '' } = useParams()
  return (
    <div className={classes.root}>
      <p className={classes.back}>
        <Link to="/multihydro">{texts.back}</Link>
      </p>
      <WhileSignedIn
        otherwise={
          <>
            <ScreenTitle />
            <Message kind="nfo" action={<Link to="/compte">{texts.signInLink}</Link>}>
              {texts.signIn}
            </Message>
          </>
        }
      >
        <Loaded key={jobId} jobId={jobId} />
      </WhileSignedIn>
    </div>
  )
}

function Loaded({ jobId }: { jobId: string }) {
  const job = useQuery(jobQuery(jobId))
  if (job.isPending)
    return (
      <div className={classes.top} aria-busy="true">
        <ScreenTitle />
        <Skeleton height={320} radius={12} />
        <p role="status">{texts.loading}</p>
      </div>
    )
  // What was loaded before stays while a refresh fails.
  if (!job.data)
    return (
      <>
        <ScreenTitle />
        <Message
          kind="error"
          action={
            <Button size="compact-sm" variant="default" onClick={() => void job.refetch()}>
              {simulationTexts.retry}
            </Button>
          }
        >
          {texts.unavailable}
          <br />
          {genericErrorText(job.error)}
        </Message>
      </>
    )
  return <Detail job={job.data} />
}

function Detail({ job }: { job: SimulationJob }) {
  const open = isOpen(job.status)
  const watched = useRef(false)
  useEffect(() => {
    if (open) watched.current = true
  }, [open])
  // A link to a part of the page goes there once the page has it.
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
  return (
    <>
      <div className={classes.top}>
        <Slideshow jobId={job.id} input={job.input} />
        <Header job={job} />
      </div>
      {job.input.catchmentOutdated && <Message kind="warning">{texts.outdated}</Message>}
      <div className={classes.panels}>
        <ModulesPanel job={job} />
        <Summary job={job} />
        <Notes job={job} />
      </div>
      <LandUse job={job} />
      <Comparison job={job} />
      <Rain job={job} />
      {open ? <Progress job={job} /> : <Result job={job} arrived={watched.current} />}
      {!open && (
        <>
          <Outputs job={job} />
          {job.status === 'done' &&
            !isWithheld(job) &&
            RESULT_SECTIONS.map((Section, k) => <Section key={k} job={job} />)}
        </>
      )}
      {job.status !== 'pending' && <JobFooter job={job} />}
    </>
  )
}
