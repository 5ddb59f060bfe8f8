import type { Job } from '@radx/contracts/jobs'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callJson } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, useAuth } from '../../../app/auth/store.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { download, nameInHeader } from './download.ts'
import classes from './Exports.module.css'
import { type ExportRequest, exportQuery } from './request.ts'

const POLL_MS = 1000

interface Props extends ExportRequest {
  /** Instant of the image on the map. */
  current: string | null
  /** Places of the gauges, newest first. */
  gauges: readonly { lat: number; lng: number }[]
}

/** The loaded period as files. */
export function ExportSection({ current, gauges, ...request }: Props) {
  const manager = useAuth(isManager)
  const query = exportQuery(request)
  return (
    <Section title={texts.title}>
      <div className={classes.list}>
        <FileExport
          label={texts.spreadsheet}
          path="/api/products/export.xlsx"
          query={{ ...query, g: gauges.map(({ lat, lng }) => `${lat},${lng}`).join(';') || null }}
          fallback="radx.xlsx"
        />
        <FileExport label={texts.csv} path="/api/products/hyetogram.csv" query={query} fallback="radx.csv" />
        {manager && request.selection.catchment !== null && (
          <FileExport
            label={texts.raster}
            path="/api/products/raster"
            query={query}
            fallback="radx-raster.json"
          />
        )}
        {manager && current !== null && (
          <GeotiffExport product={request.selection.selectedProduct} date={current} />
        )}
      </div>
    </Section>
  )
}

interface FileProps {
  label: string
  path: string
  query: Record<string, string | null>
  fallback: string
}

function FileExport({ label, path, query, fallback }: FileProps) {
  const save = useMutation({
    mutationFn: () =>
      download(path, query, (headers) => nameInHeader(headers.get('content-disposition')) ?? fallback),
  })
  return (
    <div>
      <button
        type="button"
        className={classes.export}
        disabled={save.isPending}
        onClick={() => save.mutate()}
      >
        <IconDownload size={16} stroke={1.75} aria-hidden />
        {label}
      </button>
      {save.isPending && <span className={classes.state}>{texts.working}</span>}
      {save.isSuccess && <span className={classes.state}>{texts.saved}</span>}
      {save.isError && <Message kind="error">{genericErrorText(save.error)}</Message>}
    </div>
  )
}

/** A frame as GeoTIFF: a job whose file is offered once it is done. */
function GeotiffExport({ product, date }: { product: string; date: string }) {
  const [id, setId] = useState<string | null>(null)
  const start = useMutation({
    mutationFn: () => callJson<Job>('/api/job/exportgeotiff', { method: 'POST', body: { product, date } }),
    onSuccess: (job) => setId(job.id),
  })
  const { data: job, error } = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => callJson<Job>(`/api/job/${id}`, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.status === 'done' || state.data?.status === 'error' ? false : POLL_MS,
  })
  const fetchFile = useMutation({
    mutationFn: (result: string) =>
      download(`/images/exportgeotiff/${encodeURIComponent(result)}`, {}, () => result),
  })
  const working =
    start.isPending || (id !== null && job?.status !== 'done' && job?.status !== 'error' && !error)
  const failure = start.error ?? error ?? fetchFile.error
  const result = job?.status === 'done' ? String(job.result) : null
  return (
    <div>
      <button
        type="button"
        className={classes.export}
        disabled={working}
        onClick={() => {
          setId(null)
          fetchFile.reset()
          start.mutate()
        }}
      >
        <IconDownload size={16} stroke={1.75} aria-hidden />
        {texts.geotiff}
      </button>
      {working && <span className={classes.state}>{texts.working}</span>}
      {result !== null && (
        <span className={classes.state}>
          {texts.ready} <TextButton onClick={() => fetchFile.mutate(result)}>{texts.download}</TextButton>
        </span>
      )}
      {job?.status === 'error' && <Message kind="error">{job.output?.error ?? texts.jobFailed}</Message>}
      {failure && <Message kind="error">{genericErrorText(failure)}</Message>}
    </div>
  )
}
