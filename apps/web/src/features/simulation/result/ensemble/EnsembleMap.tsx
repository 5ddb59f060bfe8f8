import { NativeSelect } from '@mantine/core'
import type { EnsembleAnswer } from '@radx/contracts/ensemble'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { part } from '../../../../app/part.tsx'
import { ensembleTexts as texts } from '../../../../texts/ensemble.ts'
import { courseTexts, depthTexts } from '../../../../texts/flood.ts'
import { useWaterFrom } from '../../../../town/useWaterFrom.ts'
import { WaterFrom } from '../../../../town/WaterFrom.tsx'
import { WaterLegend } from '../../../../town/WaterLegend.tsx'
import { waterPicture } from '../../../../town/water-classes.ts'
import { Message } from '../../../../ui/Message.tsx'
import { type SimulationJob, townOfRun } from '../../api.ts'
import { ensembleMapQuery } from './api.ts'
import classes from './Ensemble.module.css'

const GridMap = part(() => import('../depth/GridMap.tsx'))

/** Largest depths of a band or of one member. */
export function EnsembleMap({ job, found }: { job: SimulationJob; found: EnsembleAnswer }) {
  const { place, members } = found
  const [of, setOf] = useState('p50')
  const [cell, setCell] = useState<{ row: number; col: number } | null>(null)
  const depths = useQuery(ensembleMapQuery(job.id, of))
  const { classes: water } = useWaterFrom()
  const cm = depths.data
  const picture = useMemo(() => (cm ? waterPicture(place, cm, water) : null), [place, cm, water])
  const pick = useCallback((at: { row: number; col: number }) => setCell(at), [])
  const { error } = depths
  const inside = cell && cell.row >= 0 && cell.col >= 0 && cell.row < place.nrows && cell.col < place.ncols
  const value = inside && cm ? cm[cell.row * place.ncols + cell.col] : Number.NaN
  return (
    <section className={classes.graph} aria-label={texts.map}>
      <h3>{texts.map}</h3>
      <NativeSelect
        label={texts.mapOf}
        value={of}
        data={[
          ...(['p10', 'p50', 'p90'] as const).map((band) => ({ value: band, label: texts.maps[band] })),
          ...members.map((_, k) => ({ value: String(k), label: texts.member(k) })),
        ]}
        onChange={({ currentTarget }) => setOf(currentTarget.value)}
      />
      {error && <Message kind="error">{genericErrorText(error)}</Message>}
      {picture ? (
        <>
          <Suspense fallback={<div className={classes.waiting} aria-busy="true" />}>
            <GridMap
              label={texts.map}
              town={townOfRun(job)}
              place={place}
              picture={picture}
              opacity={0.85}
              onPick={pick}
            />
          </Suspense>
          <WaterFrom />
          <WaterLegend title={texts.legend} classes={water} />
          <output className={classes.note}>
            {inside ? (
              <>
                {depthTexts.cell(cell.row + 1, cell.col + 1)}{' '}
                <strong>
                  {Number.isNaN(value) ? depthTexts.cellOutside : formatQuantityFr(value, 'cm', 1)}
                </strong>
              </>
            ) : (
              courseTexts.pickHint
            )}
          </output>
        </>
      ) : (
        !error && <div className={classes.waiting} aria-busy="true" />
      )}
    </section>
  )
}
