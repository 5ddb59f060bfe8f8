import type { NetworkModel } from '@radx/contracts/networks'
import { NETWORK_CURVES_MAX } from '@radx/contracts/networks-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { part } from '../../../app/part.tsx'
import { networkTexts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import { TableHead } from '../../../ui/TableHead.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { peaksQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { useAreas } from './useAreas.ts'

const Series = part(() => import('./Series.tsx'))

const texts = networkTexts.results
/** Rows that are shown; the file has them all. */
const FIRST = 200

/** What fell on each subcatchment and ran off, and curves of those that are chosen. */
export function Subcatchments({ jobId, model }: { jobId: string; model: NetworkModel }) {
  const peaks = useQuery(peaksQuery(jobId))
  const { asked, toggle } = useAreas()
  const [open, setOpen] = useState(false)
  // A choice on the map opens it.
  useEffect(() => {
    if (asked.length > 0) setOpen(true)
  }, [asked.length])
  const all = peaks.data?.subcatchments
  if (!all || all.names.length === 0) return null
  const chosen = all.names.filter((name) => asked.includes(name))
  const { columns } = texts
  const heads = [
    columns.name,
    ...[columns.rain, columns.infiltration, columns.runoff].map((name) => `${name} (mm)`),
    `${columns.peak} (m³/s)`,
  ]
  const full = chosen.length >= NETWORK_CURVES_MAX
  const measured = new Set(model.subcatchments.flatMap(({ name, measures }) => (measures > 0 ? [name] : [])))
  return (
    <details
      className={classes.panel}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      data-testid="network-subcatchments"
    >
      <summary>
        {texts.subcatchments} ({formatNumberFr(all.names.length)})
      </summary>
      <p className={classes.dim}>{texts.chooseSubcatchments}</p>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <caption className="rx-visually-hidden">{texts.subcatchments}</caption>
          <TableHead names={heads} />
          <tbody>
            {all.names.slice(0, FIRST).map((name, k) => (
              <tr key={name}>
                <th scope="row">
                  <TextButton
                    className={classes.pick}
                    aria-pressed={chosen.includes(name)}
                    disabled={full && !chosen.includes(name)}
                    onClick={() => toggle(name)}
                  >
                    {name}
                  </TextButton>
                </th>
                {[all.rainMm, all.infiltrationMm, all.runoffMm].map((values, column) => (
                  <td key={column}>{formatNumberFr(values[k], 1)}</td>
                ))}
                <td>{formatNumberFr(all.peakM3S[k], 3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {full && <Message kind="nfo">{texts.tooMany(NETWORK_CURVES_MAX)}</Message>}
      {open && chosen.length > 0 && (
        <Suspense fallback={null}>
          <Series
            jobId={jobId}
            of="subcatchment"
            names={chosen}
            without={chosen.some((name) => measured.has(name)) ? [] : ['measures']}
          />
        </Suspense>
      )}
    </details>
  )
}
