import { Button, Progress } from '@mantine/core'
import type { BuilderBuild, BuilderResult } from '@radx/contracts/builder'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { download } from '../../../app/api/download.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { useJobProgress } from '../../../jobs/useJobProgress.ts'
import { builderTexts } from '../../../texts/builder.ts'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { isOpen, keepBuilt, reportPath, startBuild, stopBuild, zipPath } from '../api.ts'
import classes from '../Builder.module.css'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.build

/** The whole: made, told of, taken along, kept. */
export function BuildStep() {
  const { draft, saving } = useBuilder()
  const queries = useQueryClient()
  const oneAtATime = useOneAtATime()
  const refresh = () => queries.invalidateQueries({ queryKey: ['builder-draft', draft.id] })
  const start = useMutation({ mutationFn: () => startBuild(draft.id), onSuccess: refresh })
  const [newest, ...earlier] = draft.builds
  const open = newest !== undefined && isOpen(newest)
  return (
    <>
      <p className={classes.help}>{texts.lead}</p>
      {!open && (
        <div className={classes.row}>
          <Button
            disabled={saving}
            loading={start.isPending}
            onClick={() => oneAtATime((ended) => start.mutate(undefined, { onSettled: ended }))}
          >
            {texts.go}
          </Button>
        </div>
      )}
      {start.isError && (
        <Message kind="error">
          <span className={classes.lines}>{serverErrorText(start.error)}</span>
        </Message>
      )}
      {newest && <Newest key={newest.jobId} build={newest} onOver={refresh} />}
      {earlier.length > 0 && <Earlier builds={earlier} />}
    </>
  )
}

function Newest({ build, onOver }: { build: BuilderBuild; onOver: () => Promise<unknown> }) {
  const { draft } = useBuilder()
  const { timeZone } = useSite()
  const { jobId, createdAt, status, cancelled, error, result } = build
  const stale = !isOpen(build) && draft.updatedAt > createdAt
  return (
    <section className={classes.card} aria-label={texts.at(formatDateTimeFr(createdAt, timeZone))}>
      <strong>{texts.at(formatDateTimeFr(createdAt, timeZone))}</strong>
      {isOpen(build) && <UnderWay jobId={jobId} onOver={onOver} />}
      {cancelled && <p className={classes.help}>{texts.cancelled}</p>}
      {status === 'error' && !cancelled && (
        <Message kind="error">
          <span className={classes.lines}>
            {texts.failed} {error}
          </span>
        </Message>
      )}
      {stale && result && <Message kind="warning">{texts.stale}</Message>}
      {result && <Result jobId={jobId} result={result} />}
    </section>
  )
}

function UnderWay({ jobId, onOver }: { jobId: string; onOver: () => Promise<unknown> }) {
  const { progress } = useJobProgress(jobId, true)
  const stop = useMutation({ mutationFn: () => stopBuild(jobId), onSettled: onOver })
  const over = progress !== null && progress.status !== 'pending' && progress.status !== 'running'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is over
  useEffect(() => {
    if (over) void onOver()
  }, [over])
  const asked = stop.isPending || stop.isSuccess
  const share = progress && progress.max > 0 ? (100 * progress.value) / progress.max : 0
  return (
    <>
      <p role="status" className={classes.help}>
        {progress?.msg || texts.waiting}
      </p>
      <Progress size={8} value={share} aria-label={texts.progress} />
      {stop.isError && <Message kind="error">{serverErrorText(stop.error)}</Message>}
      <div className={classes.row}>
        <Button variant="default" disabled={asked} onClick={() => stop.mutate()}>
          {asked ? texts.stopping : texts.stop}
        </Button>
      </div>
    </>
  )
}

function Result({ jobId, result }: { jobId: string; result: BuilderResult }) {
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: () => keepBuilt(jobId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['simulation-catchments'] }),
  })
  const { id, findings, warnings, seconds } = result
  return (
    <>
      <div className={classes.row}>
        <Button loading={keep.isPending} disabled={keep.isSuccess} onClick={() => keep.mutate()}>
          {texts.keep}
        </Button>
        <Fetch path={zipPath(jobId)} name={`${id}.zip`} label={texts.zip} />
        <Fetch path={reportPath(jobId)} name={`${id}-rapport.md`} label={texts.report} />
      </div>
      {keep.isSuccess ? (
        <Message kind="nfo" action={<Link to="/multihydro/form">{texts.simulate}</Link>}>
          {texts.kept(keep.data.display)}
        </Message>
      ) : (
        <p className={classes.help}>{texts.keepAgain}</p>
      )}
      {keep.isError && (
        <Message kind="error">
          <span className={classes.lines}>{serverErrorText(keep.error)}</span>
        </Message>
      )}
      <section aria-label={texts.reportTitle}>
        <h3>{texts.reportTitle}</h3>
        <p className={classes.help}>{texts.took(formatNumberFr(seconds, 1))}</p>
        <ul className={classes.found}>
          {findings.map(({ kind, text }) => (
            <li key={`${kind} ${text}`}>
              {builderTexts.preview.kinds[kind]}
              {text}
            </li>
          ))}
        </ul>
        {warnings.length > 0 && (
          <>
            <h3>{texts.warnings}</h3>
            <ul className={classes.found}>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </>
        )}
      </section>
    </>
  )
}

function Fetch({ path, name, label }: { path: string; name: string; label: string }) {
  const fetching = useMutation({ mutationFn: () => download(path, name) })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        loading={fetching.isPending}
        onClick={() => fetching.mutate()}
      >
        {label}
      </Button>
      {fetching.isError && <Message kind="error">{serverErrorText(fetching.error)}</Message>}
    </>
  )
}

function Earlier({ builds }: { builds: readonly BuilderBuild[] }) {
  const { timeZone } = useSite()
  return (
    <details>
      <summary>{texts.earlier}</summary>
      <ul className={classes.sources}>
        {builds.map(({ jobId, createdAt, status, cancelled, result }) => (
          <li key={jobId}>
            <span>
              {formatDateTimeFr(createdAt, timeZone)}{' '}
              <small>{cancelled ? texts.cancelled : texts.states[status]}</small>
            </span>
            {result && <Fetch path={zipPath(jobId)} name={`${result.id}.zip`} label={texts.zip} />}
          </li>
        ))}
      </ul>
    </details>
  )
}
