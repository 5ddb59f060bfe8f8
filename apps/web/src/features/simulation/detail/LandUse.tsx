import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { landUseTexts, simulationTexts, detailTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { Waiting } from '../../../ui/Waiting.tsx'
import { luseFileQuery, type SimulationJob } from '../api.ts'
import { CodeModal } from '../parts/CodeModal.tsx'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import tables from '../parts/Table.module.css'
import classes from './LandUse.module.css'

export function LandUse({ job: { input } }: { job: SimulationJob }) {
  const { timeZone } = useSite()
  const file = useQuery(luseFileQuery(input.luseId))
  const [described, setDescribed] = useState<number | null>(null)
  return (
    <section aria-labelledby="land-use">
      <h2 id="land-use">{texts.landUse}</h2>
      <ul className={classes.legend} aria-label={texts.legend}>
        {input.luseConfigs.map((config) => (
          <li key={config.id}>
            <button type="button" aria-haspopup="dialog" onClick={() => setDescribed(config.code)}>
              <span style={{ background: config.color }} />
              {config.title}
              <small>{config.code}</small>
            </button>
          </li>
        ))}
      </ul>
      {file.isPending ? (
        <Waiting size="sm" label={texts.loading} />
      ) : file.isError ? (
        <Message kind="error">{genericErrorText(file.error)}</Message>
      ) : (
        <div className={tables.scroll}>
          <table className={tables.table} aria-labelledby="land-use">
            <thead>
              <tr>
                {Object.values(texts.file).map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <td className={classes.id}>{file.data._id}</td>
                <td>{file.data.username}</td>
                <td className={tables.wrap}>{file.data.desc.trim() || landUseTexts.noDescription}</td>
                <td>{formatDateTimeFr(file.data.creationDate, timeZone)}</td>
                <td>{formatNumberFr(file.data.sizeKo, 1, true)}</td>
                <td>
                  <DownloadButton
                    path={`/api/multihydro/file/${file.data._id}/data`}
                    filename={file.data.filename}
                    describe={`${simulationTexts.download} ${file.data.filename}`}
                  />
                </td>
              </tr>
            </tbody>
          </table>
        </div>
      )}
      <CodeModal
        config={input.luseConfigs.find(({ code }) => code === described) ?? null}
        onClose={() => setDescribed(null)}
      />
    </section>
  )
}
