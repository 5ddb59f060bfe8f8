import type { StoringMeasure } from '@radx/contracts/measures'
import { DRAIN_NEAREST, DRAIN_SURFACE, drainOf, figuresOf } from '@radx/contracts/measures-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import { measureFigures, measuresTexts, measureTexts as texts } from '../../../texts/measures.ts'
import classes from './MeasureFacts.module.css'
import { layersOf } from './measure-layers.ts'

/** What a measure is made of: its section, and every figure of it. */
export function MeasureFacts({ measure }: { measure: StoringMeasure }) {
  const figures = figuresOf(measure)
  const to = drainOf(measure)
  const drains = (figures.drainMmH ?? 0) > 0 || figures.matN !== undefined
  return (
    <>
      <p className={classes.note}>{texts.soilNote}</p>
      <Section measure={measure} />
      <dl>
        {(Object.keys(figures) as (keyof typeof figures)[]).map((name) => (
          <div key={name}>
            <dt>{measureFigures[name].name}</dt>
            <dd>
              {formatNumberFr(figures[name] ?? 0, 3, true)}{' '}
              <span className="rx-unit">{measureFigures[name].unit}</span>
            </dd>
          </div>
        ))}
        {drains && (
          <div>
            <dt>{texts.drainTo}</dt>
            <dd>{to === DRAIN_NEAREST || to === DRAIN_SURFACE ? texts.drains[to] : to}</dd>
          </div>
        )}
      </dl>
    </>
  )
}

const WIDTH = 320
const HEIGHT = 150
/** Of the ground or the roof below. */
const BELOW = 22
/** A thin layer is drawn at least so thick. */
const THINNEST = 20

/** A picture of the layers, thick as they are to each other, thin ones a little thicker. */
export function Section({ measure }: { measure: StoringMeasure }) {
  const layers = layersOf(measure, HEIGHT - BELOW, THINNEST)
  const { drainMmH = 0 } = figuresOf(measure)
  return (
    <svg
      className={classes.section}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts.section(measuresTexts.kinds[measure.kind])}
    >
      {layers.map(({ layer, top, height, mm }) => (
        <g key={layer} data-layer={layer}>
          <rect x={0} y={top} width={WIDTH} height={height} />
          <text x={10} y={top + height / 2}>
            {texts.layers[layer]}
          </text>
          <text x={WIDTH - 10} y={top + height / 2} textAnchor="end">
            {formatNumberFr(mm, 0)} mm
          </text>
        </g>
      ))}
      <g data-layer="ground">
        <rect x={0} y={HEIGHT - BELOW} width={WIDTH} height={BELOW} />
        <text x={10} y={HEIGHT - BELOW / 2}>
          {texts.layers.ground}
        </text>
      </g>
      {drainMmH > 0 && (
        <g data-layer="drain">
          <circle cx={WIDTH / 2} cy={HEIGHT - BELOW - 9} r={5} />
          <text x={WIDTH / 2 + 10} y={HEIGHT - BELOW - 9}>
            {texts.layers.drain}
          </text>
        </g>
      )}
    </svg>
  )
}
