import { floodedHa } from '@radx/charts/flood-charts'
import type { FloodCourse } from '@radx/contracts/flood'
import { runStartMs } from '@radx/contracts/simulation-constants'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { part } from '../../../../app/part.tsx'
import { formatElapsed } from '../../../../player/run/elapsed.ts'
import { depthTexts, courseTexts as texts } from '../../../../texts/flood.ts'
import { townTexts } from '../../../../texts/town.ts'
import { useWaterFrom } from '../../../../town/useWaterFrom.ts'
import { WaterFrom } from '../../../../town/WaterFrom.tsx'
import { WaterLegend } from '../../../../town/WaterLegend.tsx'
import { waterPicture } from '../../../../town/water-classes.ts'
import { Message } from '../../../../ui/Message.tsx'
import { jobQuery, type SimulationJob, townOfRun } from '../../api.ts'
import { DownloadButton } from '../../parts/DownloadButton.tsx'
import { courseQuery } from '../depth/api.ts'
import { useDepthView } from '../depth/view.ts'
import { ResultSection } from '../ResultSection.tsx'
import { RunClock } from '../RunClock.tsx'
import { useClock, useResult } from '../state.ts'
import { Balances } from './Balances.tsx'
import { CourseCharts } from './CourseCharts.tsx'
import { peakOf } from './moments.ts'
import classes from './Timeline.module.css'
import { useDepthAt } from './useDepthAt.ts'

const GridMap = part(() => import('../depth/GridMap.tsx'))

/** A run over time: water on the map beside rain, flooded area, volumes and flows, all on one clock. */
export function Evolution({ job }: { job: SimulationJob }) {
  const { outputs, show } = useResult()
  return (
    <ResultSection
      title={texts.title}
      open={outputs.includes('evolution')}
      onToggle={(open) => show('evolution', open)}
    >
      <Content job={job} />
    </ResultSection>
  )
}

function Content({ job }: { job: SimulationJob }) {
  const { reference } = useResult()
  const compared = reference.id !== ''
  const course = useQuery(courseQuery(job.id))
  const other = useQuery({ ...courseQuery(reference.id), enabled: compared })
  const otherJob = useQuery({ ...jobQuery(reference.id), enabled: compared })
  const timeS = useClock((clock) => clock.timeS)
  const otherBalance = otherJob.data?.result?.balance
  return (
    <div className={classes.root}>
      <RunClock job={job} />
      <div className={classes.columns}>
        <DepthOverTime job={job} timeS={timeS} />
        {course.error ? (
          <Message kind="error">{genericErrorText(course.error)}</Message>
        ) : course.data === undefined ? (
          <p role="status">{depthTexts.loading}</p>
        ) : (
          <CourseCharts
            course={course.data}
            reference={(compared && other.data) || null}
            startMs={runStartMs(job.input)}
            elapsed={job.input.rainfallSelection === 'virtual'}
            timeS={timeS}
          />
        )}
      </div>
      {course.data && <Peaks course={course.data} />}
      {compared && (other.error ?? otherJob.error) && (
        <Message kind="error">
          {depthTexts.referenceFailed} {genericErrorText(other.error ?? otherJob.error)}
        </Message>
      )}
      {compared && job.result && otherBalance && (
        <Balances
          own={job.result.balance}
          other={otherBalance}
          reference={otherJob.data?.input.title ?? reference.title}
        />
      )}
      <div className={classes.files}>
        <DownloadButton
          path={`/api/multihydro/file/${job.id}/course.csv`}
          filename="evolution.csv"
          label={texts.csv}
        />
      </div>
    </div>
  )
}

/** Depths at the moment of the clock. */
function DepthOverTime({ job, timeS }: { job: SimulationJob; timeS: number }) {
  const { place, cm, error } = useDepthAt(job.id, timeS)
  const { classes: water } = useWaterFrom()
  const [cell, setCell] = useState<{ row: number; col: number } | null>(null)
  const picture = useMemo(() => (place && cm ? waterPicture(place, cm, water) : null), [place, cm, water])
  const pick = useCallback((at: { row: number; col: number }) => setCell(at), [])
  if (error)
    return (
      <Message kind="error">
        {texts.depthsFailed} {genericErrorText(error)}
      </Message>
    )
  if (!place || !picture || !cm)
    return (
      <div className={classes.waiting} aria-busy="true">
        <p role="status">{texts.loadingDepths}</p>
      </div>
    )
  const inside = cell && cell.row >= 0 && cell.col >= 0 && cell.row < place.nrows && cell.col < place.ncols
  const value = inside ? cm[cell.row * place.ncols + cell.col] : Number.NaN
  return (
    <div className={classes.mapColumn} data-testid="depth-over-time" data-time={timeS}>
      <Suspense fallback={<div className={classes.waiting} aria-busy="true" />}>
        <GridMap
          label={texts.map}
          town={townOfRun(job)}
          place={place}
          picture={picture}
          opacity={0.85}
          onPick={pick}
        />
      </Suspense>
      <div className={classes.legend}>
        <WaterFrom />
        <WaterLegend title={townTexts.now(formatElapsed(timeS))} classes={water} />
      </div>
      <output className={classes.value}>
        {inside ? (
          <>
            {depthTexts.cell(cell.row + 1, cell.col + 1)}{' '}
            <strong>{Number.isNaN(value) ? depthTexts.cellOutside : formatQuantityFr(value, 'cm', 1)}</strong>
          </>
        ) : (
          texts.pickHint
        )}
      </output>
    </div>
  )
}

/** When it was worst. */
function Peaks({ course }: { course: FloodCourse }) {
  const { areaCm } = useDepthView()
  const { timesS, surfaceM3 } = course
  const flooded = floodedHa(course, areaCm)
  const [area, volume] = [peakOf(flooded), peakOf(surfaceM3)]
  return (
    <dl className={classes.peaks}>
      <div>
        <dt>{texts.floodPeak(areaCm)}</dt>
        <dd>
          {flooded[area] > 0 ? (
            <>
              {formatQuantityFr(flooded[area], 'ha', 2)}{' '}
              <small>{texts.at(formatElapsed(timesS[area]))}</small>
            </>
          ) : (
            <small>{texts.dry(areaCm)}</small>
          )}
        </dd>
      </div>
      <div>
        <dt>{texts.volumePeak}</dt>
        <dd>
          {formatQuantityFr(surfaceM3[volume], 'm³')} <small>{texts.at(formatElapsed(timesS[volume]))}</small>
        </dd>
      </div>
    </dl>
  )
}
