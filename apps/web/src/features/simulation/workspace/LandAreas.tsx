import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { runMapQuery } from './api.ts'
import { floodedLand } from './areas.ts'
import classes from './Workspace.module.css'

/** A kerb, and what stops a car, m. */
const LIMITS_M = [0.1, 0.2] as const

/** How much of each kind of ground was under water. */
export function LandAreas({ jobId, town }: { jobId: string; town: TownGrid }) {
  const { data: depthM } = useQuery(runMapQuery(jobId, 'hauteur'))
  const rows = useMemo(() => (depthM ? floodedLand(town, depthM, LIMITS_M) : []), [town, depthM])
  if (rows.length === 0) return null
  return (
    <details className={classes.areas}>
      <summary>{texts.landAreas}</summary>
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
    </details>
  )
}
