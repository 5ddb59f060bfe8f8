import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { withPick } from './address.ts'
import { runMapQuery, streetsQuery } from './api.ts'
import { floodedLand } from './areas.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

/** A kerb, and what stops a car, m. */
const LIMITS_M = [0.1, 0.2] as const

/** How much of each street was under water, each a link to its deepest place; nothing where streets have no names. */
export function StreetAreas({ jobId }: { jobId: string }) {
  const { data } = useQuery(streetsQuery(jobId))
  const { go } = useWorkspace()
  if (!data?.named) return null
  if (data.streets.length === 0) return <p className={classes.areas}>{texts.noStreet}</p>
  return (
    <details className={classes.areas}>
      <summary>{texts.streetAreas}</summary>
      <table aria-label={texts.streetAreas}>
        <thead>
          <tr>
            <th scope="col">{texts.street}</th>
            {data.limitsM.map((limit) => (
              <th key={limit} scope="col">
                {texts.fromCm(Math.round(100 * limit))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.streets.map(({ name, areasM2, deepest: { row, col } }) => (
            <tr key={name}>
              <th scope="row">
                <button
                  type="button"
                  className={classes.street}
                  onClick={() =>
                    go(({ picks }) => ({ picks: withPick(picks, { kind: 'cell', row, col }), view: null }))
                  }
                >
                  {name}
                </button>
              </th>
              {areasM2.map((area, k) => (
                <td key={data.limitsM[k]}>{formatQuantityFr(area / 10_000, 'ha', 2)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** How much of each kind of ground was under water. */
export function LandAreas({ jobId, town }: { jobId: string; town: TownGrid }) {
  // Counting the cells of a town waits until somebody looks.
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.areas} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.landAreas}</summary>
      {open && <LandTable jobId={jobId} town={town} />}
    </details>
  )
}

function LandTable({ jobId, town }: { jobId: string; town: TownGrid }) {
  const { data: depthM } = useQuery(runMapQuery(jobId, 'hauteur'))
  const rows = useMemo(() => (depthM ? floodedLand(town, depthM, LIMITS_M) : []), [town, depthM])
  return (
    <table aria-label={texts.landAreas}>
      <thead>
        <tr>
          <th scope="col">{texts.landUse}</th>
          {LIMITS_M.map((limit) => (
            <th key={limit} scope="col">
              {texts.fromCm(Math.round(100 * limit))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, areasM2 }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            {areasM2.map((area, k) => (
              <td key={LIMITS_M[k]}>{formatQuantityFr(area / 10_000, 'ha', 2)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
