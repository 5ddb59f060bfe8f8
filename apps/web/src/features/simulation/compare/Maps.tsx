import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { simulationTexts } from '../../../texts/simulation.ts'
import { useWaterFrom } from '../../../town/useWaterFrom.ts'
import { WaterFrom } from '../../../town/WaterFrom.tsx'
import { WaterLegend } from '../../../town/WaterLegend.tsx'
import { type WaterClass, waterPicture } from '../../../town/water-classes.ts'
import { depthFramesQuery } from '../result/depth/api.ts'
import { differencePicture, drawPicture } from '../result/depth/paint.ts'
import { runMapQuery } from '../workspace/api.ts'
import classes from './Compare.module.css'
import { difference, onGround, reduced, roundUp, usualMost } from './thumbnail.ts'
import type { ComparedRun } from './useRuns.ts'

interface Props {
  runs: readonly ComparedRun[]
  /** Against which depths are shown; null shows the depths. */
  base: ComparedRun | null
}

/** Inside the catchment, where nothing is drawn. */
const GROUND = { light: [226, 230, 230], dark: [38, 46, 49] } as const

interface Field {
  nrows: number
  ncols: number
  /** cm, NaN outside. */
  cm: Float32Array
  /** What makes two grids the same. */
  grid: string
}

/** The largest depths of each run in one scale, or what differs from the base. */
export function Maps({ runs, base }: Props) {
  const fields = useFields(runs)
  const baseField = base ? fields[runs.findIndex(({ id }) => id === base.id)] : null
  const shown = useMemo(
    () =>
      fields.map((field) => {
        if (!field) return null
        if (base === null) return reducedField(field, field.cm)
        if (!baseField || field === baseField || field.grid !== baseField.grid) return null
        return reducedField(field, difference(field.cm, baseField.cm))
      }),
    [fields, base, baseField],
  )
  const water = useWaterFrom()
  const most = roundUp(usualMost(shown.flatMap((field) => (base && field ? [field.values] : []))))
  return (
    <section aria-label={texts.maps}>
      <h2>{base ? texts.mapsOfDifference(base.title) : texts.maps}</h2>
      {base ? (
        <p className={classes.note}>{texts.differenceScale(formatQuantityFr(most, 'cm', 0))}</p>
      ) : (
        <div className={classes.bar}>
          <WaterLegend title={texts.depths} classes={water.classes} />
          <WaterFrom />
        </div>
      )}
      <ul className={classes.maps}>
        {runs.map((run, k) => (
          <li key={run.id}>
            {shown[k] ? (
              <SmallMap
                label={base ? texts.differenceOf(run.title, base.title) : texts.mapOf(run.title)}
                field={shown[k]}
                scale={base ? { mostCm: most } : { water: water.classes }}
              />
            ) : (
              <p className={classes.noMap}>{noMapText(fields[k], baseField, run === base)}</p>
            )}
            <Link to={`/multihydro/${run.id}/espace`} aria-label={texts.open(run.title)}>
              {run.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const reducedField = ({ nrows, ncols }: Field, cm: Float32Array) => reduced(cm, { nrows, ncols })

function noMapText(field: Field | null, base: Field | null, isBase: boolean): string {
  if (isBase) return texts.isBase
  return field && base ? texts.otherGrid : simulationTexts.loading
}

/** The largest depths of each run, null until they are there. */
function useFields(runs: readonly ComparedRun[]): (Field | null)[] {
  const places = useQueries({ queries: runs.map(({ id }) => depthFramesQuery(id)) }).map(
    ({ data }) => data?.place,
  )
  const maps = useQueries({ queries: runs.map(({ id }) => runMapQuery(id, 'hauteur')) }).map(
    ({ data }) => data,
  )
  const known = useRef(new Map<Float32Array, Field>())
  return runs.map((_, k) => {
    const [place, depthM] = [places[k], maps[k]]
    if (!place || !depthM || depthM.length !== place.nrows * place.ncols) return null
    const { nrows, ncols, cellSizeM, crs, xll, yll } = place
    const grid = JSON.stringify([nrows, ncols, cellSizeM, crs, xll, yll])
    const field = known.current.get(depthM) ?? { nrows, ncols, grid, cm: depthM.map((depth) => 100 * depth) }
    known.current.set(depthM, field)
    return field
  })
}

interface SmallProps {
  label: string
  field: ReturnType<typeof reduced>
  /** Differences up to so much, or depths in classes. */
  scale: { mostCm: number } | { water: readonly WaterClass[] }
}

function SmallMap({ label, field, scale }: SmallProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useColorScheme()
  const [mostCm, water] = 'water' in scale ? [0, scale.water] : [scale.mostCm, null]
  useEffect(() => {
    if (!canvas.current) return
    const { values } = field
    const picture = water ? waterPicture(field, values, water) : differencePicture(field, values, mostCm)
    drawPicture(canvas.current, onGround(picture, values, GROUND[scheme]))
  }, [field, mostCm, water, scheme])
  return <canvas ref={canvas} role="img" aria-label={label} className={classes.map} />
}
