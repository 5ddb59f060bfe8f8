import type { Report, ReportBlock } from '@radx/contracts/reports'
import { IconDownload, IconLink } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { download } from '../../app/api/download.ts'
import { genericErrorText } from '../../app/api/errors.ts'
import { part } from '../../app/part.tsx'
import { ScreenTitle } from '../../app/ScreenTitle.tsx'
import { reportTexts as texts } from '../../texts/report.ts'
import { PrimaryButton, QuietButton } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { pdfPathOf, type ReportOf, reportQuery } from './api.ts'
import classes from './ReportScreen.module.css'

const ChosenTable = part(() => import('./ChosenTable.tsx'))

const KEYS = ['p', 's', 'e', 'c', 'sc', 'g', 'table', 'title', 'comment', 'adjust']

/** The report of a period or of a run as a page: what its PDF holds, by the same template. */
export default function ReportScreen() {
  const { jobId } = useParams()
  const [params] = useSearchParams()
  const query = Object.fromEntries(
    (jobId === undefined ? KEYS : ['table'])
      .flatMap((key) => [[key, params.get(key) ?? '']] as const)
      .filter(([, v]) => v),
  )
  const whole = jobId !== undefined || (query.p && query.s && query.e)
  if (!whole)
    return (
      <div className={classes.root}>
        <ScreenTitle />
        <Message kind="error">{texts.incomplete}</Message>
      </div>
    )
  return <Content of={jobId === undefined ? { kind: 'event', query } : { kind: 'run', jobId, query }} />
}

function Content({ of }: { of: ReportOf }) {
  const report = useQuery({ ...reportQuery(of), placeholderData: keepPreviousData })
  if (report.error)
    return (
      <div className={classes.root}>
        <ScreenTitle />
        <Message
          kind="error"
          action={<TextButton onClick={() => report.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(report.error)}
        </Message>
      </div>
    )
  if (!report.data)
    return (
      <div className={classes.root} aria-busy="true">
        <ScreenTitle />
        <p role="status">{texts.loading}</p>
        <div className={classes.ghost} />
      </div>
    )
  return <Page of={of} report={report.data} />
}

function Page({ of, report: { title, subtitle, fileName, blocks } }: { of: ReportOf; report: Report }) {
  const [copied, setCopied] = useState(false)
  const pdf = useMutation({ mutationFn: () => download(pdfPathOf(of), fileName) })
  return (
    <article className={classes.root}>
      <header className={classes.head}>
        <h1>{title}</h1>
        <p>{subtitle}</p>
        <div className={classes.actions}>
          {/* The second click of a double click would save a second file. */}
          <PrimaryButton disabled={pdf.isPending} onClick={({ detail }) => detail < 2 && pdf.mutate()}>
            <IconDownload size={18} stroke={1.75} aria-hidden />
            {texts.pdf}
          </PrimaryButton>
          <QuietButton
            onClick={() => void navigator.clipboard.writeText(location.href).then(() => setCopied(true))}
          >
            <IconLink size={18} stroke={1.75} aria-hidden />
            {copied ? texts.copied : texts.copy}
          </QuietButton>
          <a href={backOf(of)}>{of.kind === 'run' ? texts.toRun : texts.toAnalysis}</a>
        </div>
        {pdf.error && <Message kind="error">{genericErrorText(pdf.error)}</Message>}
        <Suspense>
          <ChosenTable />
        </Suspense>
      </header>
      {blocks.map((block, k) => (
        <Block key={k} block={block} />
      ))}
    </article>
  )
}

/** Where what is reported is looked at. */
function backOf(of: ReportOf): string {
  if (of.kind === 'run') return `/multihydro/${of.jobId}`
  const { p, s, e, c, sc, table } = of.query
  const query = new URLSearchParams({
    ...{ p, s, e },
    ...(c && { c }),
    ...(sc && { sc }),
    ...(table && { table }),
    v: '1',
  })
  return `/analyse?${query}`
}

function Block({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h2 className={classes.heading}>{block.text}</h2>
    case 'text':
      return <p>{block.text}</p>
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard
        <section className={classes.table} aria-label={block.caption} tabIndex={0}>
          <DataTable caption={block.caption} head={block.head} rows={block.rows} />
        </section>
      )
    case 'figure':
      return (
        <figure className={classes.figure}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
          <section className={classes.scroll} aria-label={block.caption} tabIndex={0}>
            <img
              src={`data:image/png;base64,${block.png}`}
              alt={block.alt}
              data-wide={block.width > 1.5 * block.height}
              width={Math.round(block.width * 1.6)}
              height={Math.round(block.height * 1.6)}
            />
          </section>
          <figcaption>{block.caption}</figcaption>
        </figure>
      )
  }
}
