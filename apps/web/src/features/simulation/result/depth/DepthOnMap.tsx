import { SegmentedControl } from '@mantine/core'
import { differencePalette } from '@radx/charts/palettes'
import { formatDuration } from '@radx/locale/duration'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { part } from '../../../../app/part.tsx'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import { townTexts } from '../../../../texts/town.ts'
import { type Bounds, boundsOfCells } from '../../../../town/bounds.ts'
import { useWaterFrom } from '../../../../town/useWaterFrom.ts'
import { WaterFrom } from '../../../../town/WaterFrom.tsx'
import { WaterLegend } from '../../../../town/WaterLegend.tsx'
import { waterPicture } from '../../../../town/water-classes.ts'
import { Message } from '../../../../ui/Message.tsx'
import { RangeSlider } from '../../../../ui/RangeSlider.tsx'
import { runSeconds, type SimulationJob, townOfRun } from '../../api.ts'
import { DownloadButton } from '../../parts/DownloadButton.tsx'
import type { Reference } from '../state.ts'
import classes from './Depth.module.css'
import { type DepthField, differenceOf } from './field.ts'
import { CellReadout } from './Matrix.tsx'
import { DIFFERENCE_FROM_CM, differencePicture } from './paint.ts'
import { ScaleLegend } from './ScaleLegend.tsx'
import { useDepthField } from './useDepthField.ts'
import { useDepthView } from './view.ts'

/** A change that a map is taken to, cm: less is spread over the town. */
const SEEN_CM = 1

const GridMap = part(() => import('./GridMap.tsx'))

interface Props {
  job: SimulationJob
  field: DepthField
  reference: Reference
}

/** The largest depths on the real map, or how much deeper they are than those of the reference. */
export function DepthOnMap({ job, field, reference }: Props) {
  const { difference, change } = useDepthView()
  const compared = reference.id !== ''
  return (
    <div className={classes.view}>
      {compared && (
        <SegmentedControl
          className={classes.choice}
          aria-label={texts.shown}
          data={[
            { value: 'depth', label: texts.depth },
            { value: 'difference', label: texts.difference },
          ]}
          value={difference ? 'difference' : 'depth'}
          onChange={(value) => change({ difference: value === 'difference' })}
        />
      )}
      {compared && difference ? (
        <Difference job={job} field={field} reference={reference} />
      ) : (
        <Depths job={job} field={field} />
      )}
    </div>
  )
}

function Depths({ job, field }: { job: SimulationJob; field: DepthField }) {
  const { cell } = useDepthView()
  const { classes: water } = useWaterFrom()
  const picture = useMemo(() => waterPicture(field, field.cm, water), [field, water])
  return (
    <>
      <div className={classes.controls}>
        <WaterFrom />
        <WaterLegend title={townTexts.maximum(formatDuration(1000 * runSeconds(job)))} classes={water} />
      </div>
      {/* Above the map, whose lower edge may lie below the window. */}
      <div className={classes.readout}>
        <CellReadout field={field} cell={cell} />
      </div>
      <Shown job={job} field={field} picture={picture} />
    </>
  )
}

interface ShownProps {
  job: SimulationJob
  field: DepthField
  picture: ReturnType<typeof waterPicture>
  change?: Bounds | null
}

function Shown({ job, field, picture, change: differing }: ShownProps) {
  const { change } = useDepthView()
  const [opacity, setOpacity] = useState(85)
  const pick = useCallback(
    ({ row, col }: { row: number; col: number }) =>
      change({
        cell: row >= 0 && col >= 0 && row < field.nrows && col < field.ncols ? { row, col } : null,
      }),
    [change, field],
  )
  return (
    <>
      <Suspense fallback={<div className={classes.map} aria-busy="true" />}>
        <GridMap
          label={texts.map}
          town={townOfRun(job)}
          change={differing}
          place={field.place}
          picture={picture}
          opacity={opacity / 100}
          onPick={pick}
        />
      </Suspense>
      <div className={classes.opacity}>
        <span aria-hidden>{texts.opacity}</span>
        <RangeSlider
          label={texts.opacity}
          size="sm"
          min={0}
          max={100}
          value={opacity}
          valueText={`${opacity} %`}
          onChange={setOpacity}
        />
      </div>
    </>
  )
}

function Difference({ job, field, reference }: Props) {
  const { cell } = useDepthView()
  const other = useDepthField(reference.id)
  const otherField = other.field
  const cm = useMemo(() => (otherField ? differenceOf(field, otherField) : null), [field, otherField])
  const told = useMemo(() => (cm ? summary(cm, field.place.cellSizeM) : null), [cm, field])
  const picture = useMemo(
    () => (cm && told ? differencePicture(field, cm, told.spanCm) : null),
    [field, cm, told],
  )
  const change = useMemo(
    () => (cm ? boundsOfCells(field.place, (k) => Math.abs(cm[k]) >= SEEN_CM) : null),
    [cm, field],
  )
  if (other.error)
    return (
      <Message kind="error">
        {texts.referenceFailed} {genericErrorText(other.error)}
      </Message>
    )
  if (otherField === null) return <p className={classes.note}>{texts.loading}</p>
  if (cm === null || told === null || picture === null)
    return <Message kind="error">{texts.otherGrid}</Message>
  const value = cell === null ? Number.NaN : cm[cell.row * field.ncols + cell.col]
  const query = `reference=${reference.id}`
  return (
    <>
      <div className={classes.controls}>
        <p className={classes.told} data-testid="difference">
          {told.deeperHa === 0 && told.shallowerHa === 0 ? (
            texts.same
          ) : (
            <>
              {texts.deeper(
                formatQuantityFr(told.deeperHa, 'ha', 2),
                formatQuantityFr(told.deepestCm, 'cm', 1),
              )}
              <br />
              {texts.shallower(
                formatQuantityFr(told.shallowerHa, 'ha', 2),
                formatQuantityFr(told.shallowestCm, 'cm', 1),
              )}
            </>
          )}
        </p>
        <ScaleLegend
          title={texts.legendDifference}
          low={-told.spanCm}
          high={told.spanCm}
          color={differencePalette}
        />
      </div>
      <div className={classes.readout}>
        <output className={classes.value} data-testid="cell-value">
          {cell === null ? (
            texts.matrixHelp
          ) : (
            <>
              {texts.cell(cell.row + 1, cell.col + 1)}{' '}
              <strong>
                {Number.isNaN(value) || value === undefined
                  ? texts.cellOutside
                  : formatQuantityFr(value, 'cm', 1)}
              </strong>
            </>
          )}
        </output>
        <span className={classes.spacer} />
        <DownloadButton
          path={`/api/multihydro/file/${job.id}/max-depth.tif?${query}`}
          filename="ecart-hauteur-maximale.tif"
          label={texts.differenceTiff}
        />
        <DownloadButton
          path={`/api/multihydro/file/${job.id}/max-depth.csv?${query}`}
          filename="ecart-hauteur-maximale.csv"
          label={texts.differenceCsv}
        />
      </div>
      <Shown job={job} field={field} picture={picture} change={change} />
    </>
  )
}

/**
 * What a difference comes to. The scale reaches the 99.5th percentile, so that a single cell does not pale the rest.
 */
function summary(cm: Float64Array, cellSizeM: number) {
  const sizes: number[] = []
  const found = { deeper: 0, shallower: 0, deepestCm: 0, shallowestCm: 0 }
  for (const value of cm) {
    if (!(Math.abs(value) >= DIFFERENCE_FROM_CM)) continue
    sizes.push(Math.abs(value))
    if (value > 0) found.deeper++
    else found.shallower++
    found.deepestCm = Math.max(found.deepestCm, value)
    found.shallowestCm = Math.max(found.shallowestCm, -value)
  }
  sizes.sort((a, b) => a - b)
  const cellHa = cellSizeM ** 2 / 10_000
  return {
    deeperHa: found.deeper * cellHa,
    shallowerHa: found.shallower * cellHa,
    deepestCm: found.deepestCm,
    shallowestCm: found.shallowestCm,
    spanCm: Math.max(1, Math.ceil(sizes[Math.floor(0.995 * (sizes.length - 1))] ?? 1)),
  }
}
