import { Skeleton } from '@mantine/core'
import type { OutputFile } from '@radx/contracts/simulation'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../app/api/errors.ts'
import { exportTexts } from '../../../texts/exports.ts'
import { reportTexts } from '../../../texts/report.ts'
import { detailTexts, simulationTexts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { isWithheld, outputsQuery, type SimulationJob } from '../api.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import classes from './Outputs.module.css'

const texts = detailTexts.outputs
/** About what the table of a usual run takes: what stands below it does not jump when it comes. */
const TABLE_PX = 560

export function Outputs({ job }: { job: SimulationJob }) {
  const withheld = isWithheld(job)
  const shown = job.status === 'done' && !withheld
  const outputs = useQuery({ ...outputsQuery(job.id), enabled: shown })
  return (
    <section aria-labelledby="outputs">
      <h2 id="outputs">{texts.title}</h2>
      {shown && (
        <p className={classes.report}>
          <a href={`/rapport/simulation/${job.id}`}>{reportTexts.page}</a>
          <DownloadButton
            path={`/api/reports/run/${job.id}/report.pdf`}
            filename="rapport.pdf"
            label={exportTexts.report}
          />
        </p>
      )}
      {!shown ? (
        <p className={classes.empty}>{withheld ? texts.withheld : texts.empty}</p>
      ) : outputs.isPending ? (
        <div aria-busy="true">
          <p role="status" className="rx-visually-hidden">
            {simulationTexts.loading}
          </p>
          <Skeleton height={TABLE_PX} radius={8} />
        </div>
      ) : outputs.isError ? (
        <Message kind="error">{genericErrorText(outputs.error)}</Message>
      ) : outputs.data.length === 0 ? (
        <p className={classes.empty}>{texts.empty}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={texts.title}>
            <thead>
              <tr>
                <th scope="col">{texts.file}</th>
                <th scope="col">{texts.description}</th>
                <th scope="col">{texts.size}</th>
                <th scope="col">{texts.download}</th>
              </tr>
            </thead>
            <tbody>
              {outputs.data.map((file) => (
                <Row key={file.name} jobId={job.id} file={file} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Row({ jobId, file }: { jobId: string; file: OutputFile }) {
  return (
    <tr>
      <th scope="row">{file.name}</th>
      <td className={classes.desc}>
        {file.desc.split(/<br\s*\/?>/i).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </td>
      <td>{formatNumberFr(file.sizeKo, 1, true)}</td>
      <td>
        {file.error ? (
          <span className={classes.error}>{file.error}</span>
        ) : (
          <DownloadButton
            path={`/api/job/output/${jobId}/${encodeURIComponent(file.name)}/data`}
            filename={file.name}
            describe={`${simulationTexts.download} ${file.name}`}
          />
        )}
      </td>
    </tr>
  )
}
