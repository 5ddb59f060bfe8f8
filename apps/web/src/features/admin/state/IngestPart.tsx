import { Button } from '@mantine/core'
import type { AdminIngest } from '@radx/contracts/administration'
import { formatSpan } from '@radx/locale/duration'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import { useMutation, useQuery } from '@tanstack/react-query'
import { download } from '../../../app/api/download.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import { administrationTexts } from '../../../texts/administration.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { Instant } from '../Instant.tsx'
import { ingestQuery } from './api.ts'
import { GapStrip } from './GapStrip.tsx'

const texts = administrationTexts.ingest

/** Whether instruments deliver: last files, delay, gaps, and what was refused. */
export default function IngestPart() {
  const { data, error } = useQuery(ingestQuery)
  if (error && !data) return <Message kind="error">{serverErrorText(error)}</Message>
  if (!data) return <p role="status">{administrationTexts.loading}</p>
  return (
    <>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      <section className={classes.section} aria-labelledby="ingest-title">
        <h2 id="ingest-title">{texts.title}</h2>
        <Sources sources={data.sources} at={data.at} />
      </section>
      <section className={classes.section} aria-labelledby="gaps-title">
        <h2 id="gaps-title">{texts.gapsTitle(formatNumberFr(data.days, 0))}</h2>
        <p>{texts.gapsHelp}</p>
        {data.products.map((product) => (
          <GapStrip key={product.product} product={product} at={data.at} days={data.days} />
        ))}
      </section>
      <Rejected files={data.rejected} count={data.rejectedCount} />
    </>
  )
}

function Sources({ sources, at }: Pick<AdminIngest, 'sources' | 'at'>) {
  if (sources.length === 0) return <p>{texts.noSource}</p>
  return (
    <AdminTable
      caption={texts.title}
      heads={[texts.source, texts.newest, texts.lastFile, texts.received, texts.files]}
      rows={sources.map(({ kind, product, name, receivedAt, newestAt, files }) => ({
        key: `${kind} ${product}`,
        cells: [
          <>
            {texts.kinds[kind] ?? kind}
            {product !== null && <small>{product}</small>}
          </>,
          newestAt === null ? (
            '–'
          ) : (
            <>
              <Instant at={newestAt} />
              <small>{texts.age(formatSpan((Date.parse(at) - Date.parse(newestAt)) / 1000))}</small>
            </>
          ),
          name,
          <Instant key="received" at={receivedAt} />,
          formatNumberFr(files, 0),
        ],
      }))}
    />
  )
}

const size = (bytes: number) =>
  bytes < 1000 ? texts.bytes(formatNumberFr(bytes, 0)) : texts.kilobytes(formatNumberFr(bytes / 1000, 1))

function Rejected({ files, count }: { files: AdminIngest['rejected']; count: number }) {
  const fetchFile = useMutation({
    mutationFn: (name: string) => download(`/api/admin/ingest/rejected/${encodeURIComponent(name)}`, name),
  })
  return (
    <section className={classes.section} aria-labelledby="rejected-title">
      <h2 id="rejected-title">{texts.rejectedTitle}</h2>
      <p>{count === 0 ? texts.noneRejected : texts.rejectedCount(countFr(count, 'fichier'))}</p>
      {fetchFile.error && <Message kind="error">{serverErrorText(fetchFile.error)}</Message>}
      {files.length > 0 && (
        <AdminTable
          caption={texts.rejectedTitle}
          heads={[texts.file, texts.refused, texts.reason, texts.actions]}
          rows={files.map(({ name, at, bytes, reason }) => ({
            key: name,
            cells: [
              <>
                {name}
                <small>{size(bytes)}</small>
              </>,
              <Instant key="at" at={at} />,
              reason ?? '–',
              <Button
                key="download"
                variant="default"
                size="xs"
                aria-label={`${texts.download} : ${name}`}
                disabled={fetchFile.isPending}
                onClick={() => fetchFile.mutate(name)}
              >
                {texts.download}
              </Button>,
            ],
          }))}
        />
      )}
    </section>
  )
}
