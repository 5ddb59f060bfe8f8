import { Progress } from '@mantine/core'
import type { Calibration, CalibrationTrials } from '@radx/contracts/calibration'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { Message } from '../../../ui/Message.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import { isOpen } from '../api.ts'
import { trialsQuery } from './api.ts'
import classes from './Calibration.module.css'
import { FittedParameters, ScoreSummary, ScoreTable } from './FitResult.tsx'
import { Trials } from './Trials.tsx'

/** A fit: how far it is, or what came of it. */
export function FitDetail({ fit }: { fit: Calibration }) {
  const { name, status, result, error, cancelled, catchmentId } = fit
  const open = isOpen(status)
  const trials = useQuery(trialsQuery(fit.id, open))
  // Who started it, or chose it, stands somewhere else on the page.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section aria-labelledby="fit-title" className={classes.parts}>
      <h2 id="fit-title" ref={heading} tabIndex={-1}>
        {name}
      </h2>
      {open && <UnderWay fit={fit} trials={trials.data} />}
      {status === 'error' && (
        <Message kind={cancelled ? 'nfo' : 'error'}>
          {cancelled ? texts.stopped : (error ?? texts.failed)}
        </Message>
      )}
      {result?.warnings.map((warning) => (
        <Message key={warning} kind="warning">
          {warning}
        </Message>
      ))}
      {result && (
        <>
          <ScoreSummary result={result} />
          <FittedParameters result={result} />
          <p className={classes.note}>
            {texts.useIt}{' '}
            <Link to={`/multihydro/form?bassin=${encodeURIComponent(catchmentId)}`}>{texts.toForm}</Link>
          </p>
          <ScoreTable result={result} />
        </>
      )}
      <QueryState query={trials} there={trials.data !== undefined} />
      {trials.data && trials.data.trials.length > 0 && (
        <Trials trials={trials.data} threshold={result?.threshold ?? null} />
      )}
    </section>
  )
}

function UnderWay({ fit, trials }: { fit: Calibration; trials: CalibrationTrials | undefined }) {
  const done = Math.max(fit.trials, trials?.trials.length ?? 0)
  const scores = (trials?.trials ?? []).flatMap(({ score }) => (score === null ? [] : [score]))
  if (fit.status === 'pending' && done === 0) return <p role="status">{texts.waits}</p>
  return (
    <div className={classes.underWay}>
      <p role="status">
        {texts.progress(done, fit.runs)}{' '}
        {scores.length > 0 && texts.best(formatNumberFr(Math.max(...scores), 3))}
      </p>
      <Progress value={(100 * done) / fit.runs} aria-label={fit.name} />
    </div>
  )
}
