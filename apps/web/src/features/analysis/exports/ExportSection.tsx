import {
  EXPORT_CSV_DAYS,
  EXPORT_GRID_DAYS,
  EXPORT_REPORT_DAYS,
  EXPORT_TABLE_DAYS,
} from '@radx/contracts/constants'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, useAuth } from '../../../app/auth/store.ts'
import { part } from '../../../app/part.tsx'
import { useRainMethod } from '../../../player/rain-method.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { reportTexts } from '../../../texts/report.ts'
import { QuietButton } from '../../../ui/Button.tsx'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useTables } from '../rarity/useRarity.ts'
import { downloadExport, nameInHeader } from './download.ts'
import classes from './Exports.module.css'
import { type ExportRequest, exportQuery, isOver } from './request.ts'

const JobExport = part(() => import('./JobExport.tsx'))
const KeptExports = part(() => import('./KeptExports.tsx'))

/** The period's exact grids. */
const GRIDS = [
  { format: 'netcdf', label: texts.netcdf, name: 'netCDF' },
  { format: 'zarr', label: texts.zarr, name: 'Zarr' },
  { format: 'odim', label: texts.odim, name: 'ODIM' },
] as const

interface Props extends ExportRequest {
  /** Instant of the image on the map. */
  current: string | null
  /** Places of the gauges, newest first. */
  gauges: readonly { lat: number; lng: number }[]
  /** What the map shows adjusted to gauges, `method.mode`; null where it shows the original. */
  adjusted: string | null
}

/** The loaded period as files. */
export function ExportSection({ current, gauges, adjusted, ...request }: Props) {
  const manager = useAuth(isManager)
  const query = exportQuery(request)
  const method = useRainMethod((state) => state.method)
  const gaugeQuery = gauges.map(({ lat, lng }) => `${lat},${lng}`).join(';') || null
  const product = request.selection.selectedProduct
  const { s: start, e: end } = request.period
  const adjust = adjusted
  // The table by which rarity is told above; the first goes without saying.
  const { tables, chosen: montana } = useTables()
  const table = montana && montana.id !== tables.data?.[0]?.id ? montana.id : null
  const chosen: Record<string, string> = adjusted === null ? {} : { adjust: adjusted }
  return (
    <Section title={texts.title}>
      {adjusted !== null && <p className={classes.state}>{texts.adjusted}</p>}
      <div className={classes.list}>
        <a
          className={classes.page}
          href={`/rapport?${reportAddress({ ...query, adjust, table }, gaugeQuery)}`}
        >
          {reportTexts.page}
        </a>
        <FileExport
          label={texts.report}
          path="/api/reports/event.pdf"
          query={{ ...query, adjust, g: gaugeQuery, table }}
          maxDays={EXPORT_REPORT_DAYS}
          fallback="rapport.pdf"
        />
        <FileExport
          label={texts.spreadsheet}
          path="/api/products/export.xlsx"
          query={{ ...query, method, adjust, g: gaugeQuery }}
          maxDays={EXPORT_TABLE_DAYS}
          fallback="radx.xlsx"
        />
        <FileExport
          label={texts.csv}
          path="/api/products/hyetogram.csv"
          query={{ ...query, method, adjust }}
          maxDays={adjusted === null ? EXPORT_CSV_DAYS : EXPORT_TABLE_DAYS}
          fallback="radx.csv"
        />
        {manager && request.selection.catchment !== null && (
          <FileExport
            label={texts.raster}
            path="/api/products/raster"
            query={{ ...query, adjust }}
            maxDays={EXPORT_TABLE_DAYS}
            fallback="radx-raster.json"
          />
        )}
        {manager && (
          <Suspense>
            {current !== null && (
              <JobExport
                label={texts.geotiff}
                ready={texts.ready('GeoTIFF')}
                start={{
                  path: '/api/job/exportgeotiff',
                  body: { product, date: current, ...(adjusted && { adjust: adjusted, ws: start, we: end }) },
                }}
                folder="/images/exportgeotiff"
              />
            )}
            {GRIDS.map(({ format, label, name }) => (
              <JobExport
                key={format}
                label={label}
                ready={texts.ready(name)}
                limit={{ days: EXPORT_GRID_DAYS, isOver: isOver(request.period, EXPORT_GRID_DAYS) }}
                start={{ path: '/api/job/exportgrid', body: { product, start, end, format, ...chosen } }}
                folder="/images/exportgrid"
              />
            ))}
          </Suspense>
        )}
      </div>
      {manager && (
        <Suspense>
          <KeptExports />
        </Suspense>
      )}
    </Section>
  )
}

/** What the address of a report says, where it says something. */
function reportAddress(query: Record<string, string | null>, g: string | null): URLSearchParams {
  const said = Object.entries({ ...query, g }).filter((entry): entry is [string, string] => entry[1] !== null)
  return new URLSearchParams(said)
}

interface FileProps {
  label: string
  path: string
  query: Record<string, string | null> & { s: string; e: string }
  /** Longest period that it takes. */
  maxDays: number
  fallback: string
}

function FileExport({ label, path, query, maxDays, fallback }: FileProps) {
  const limit = useId()
  const save = useMutation({
    mutationFn: () =>
      downloadExport(path, query, (headers) => nameInHeader(headers.get('content-disposition')) ?? fallback),
  })
  return (
    <div>
      <QuietButton
        disabled={save.isPending || isOver(query, maxDays)}
        aria-describedby={limit}
        onClick={() => save.mutate()}
      >
        <IconDownload size={16} stroke={1.75} aria-hidden />
        {label}
      </QuietButton>
      <span id={limit} className={classes.state}>
        {texts.limit(maxDays)}
      </span>
      {save.isPending && <span className={classes.state}>{texts.working}</span>}
      {save.isSuccess && <span className={classes.state}>{texts.saved}</span>}
      {save.isError && <Message kind="error">{genericErrorText(save.error)}</Message>}
    </div>
  )
}
