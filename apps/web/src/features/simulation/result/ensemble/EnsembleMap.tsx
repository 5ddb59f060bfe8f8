import { NativeSelect } from '@mantine/core'
import { PALETTES } from '@radx/charts/palettes'
import type { EnsembleAnswer } from '@radx/contracts/ensemble'
import { FLOODED_FROM_M } from '@radx/contracts/flood-constants'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { part } from '../../../../app/part.tsx'
import { ensembleTexts as texts } from '../../../../texts/ensemble.ts'
import { courseTexts, depthTexts } from '../../../../texts/flood.ts'
import { Message } from '../../../../ui/Message.tsx'
import { depthPicture } from '../depth/paint.ts'
import { ScaleLegend } from '../depth/ScaleLegend.tsx'
import { useDepthView } from '../depth/view.ts'
import { ensembleMapQuery } from './api.ts'
import classes from './Ensemble.module.css'

const GridMap = part(() => import('../depth/GridMap.tsx'))
/** Depths below are the film that rain leaves everywhere, cm. */
const FROM_CM = 100 * FLOODED_FROM_M

/** Largest depths of a band or of one member, all in the colours of the 90 % band. */
export function EnsembleMap({ jobId, found }: { jobId: string; found: EnsembleAnswer }) {
  const { place, members } = found
  const [of, setOf] = useState('p50')
  const [cell, setCell] = useState<{ row: number; col: number } | null>(null)
  const depths = useQuery(ensembleMapQuery(jobId, of))
  const { palette } = useDepthView()
  const high = useQuery(ensembleMapQuery(jobId, 'p90'))
  const maxCm = useMemo(
    () =>
      (high.data ?? new Float32Array(0))
        .filter((cm) => cm >= 0)
        .reduce((most, cm) => Math.max(most, cm), FROM_CM),
    [high.data],
  )
  const cm = depths.data
  const picture = useMemo(
    () => (cm ? depthPicture(place, cm, { palette, minCm: FROM_CM, maxCm }, null) : null),
    [place, cm, palette, maxCm],
  )
  const pick = useCallback((at: { row: number; col: number }) => setCell(at), [])
  const error = depths.error ?? high.error
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
            <GridMap label={texts.map} place={place} picture={picture} opacity={0.85} onPick={pick} />
          </Suspense>
          <ScaleLegend title={texts.legend} low={FROM_CM} high={maxCm} color={PALETTES[palette]} />
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
