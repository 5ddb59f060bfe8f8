import { Button, SegmentedControl } from '@mantine/core'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { useColorScheme } from '../../../../app/color-scheme.ts'
import { part } from '../../../../app/part.tsx'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import { moveByKey } from '../../../../town/scene/keys.ts'
import type { OrbitHandle } from '../../../../town/scene/Orbit.tsx'
import { ResetView } from '../../../../town/scene/ResetView.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { RangeSlider } from '../../../../ui/RangeSlider.tsx'
import { luseImageQuery } from './api.ts'
import {
  autoHideCm,
  BAND_COLORS,
  BAND_NAMES,
  bandCounts,
  cmAt,
  LIMITS_CM,
  positionOf,
  sliderStops,
} from './bands.ts'
import classes from './Depth.module.css'
import { countFrom, type DepthField } from './field.ts'
import { useDepthView } from './view.ts'
import { hasWebGl } from './webgl.ts'

const Scene = part(() => import('./Scene.tsx'))

/** The largest depths as bars on the land use. */
export function Depth3D({ field, luseId }: { field: DepthField; luseId: string }) {
  const { hideCm, wireframe, change } = useDepthView()
  const automatic = useMemo(() => autoHideCm(field), [field])
  const limit = hideCm ?? automatic
  const shown = useMemo(() => countFrom(field, limit), [field, limit])
  const background = useQuery(luseImageQuery(luseId))
  const [able] = useState(hasWebGl)
  const scheme = useColorScheme()
  const handle = useRef<OrbitHandle>(null)
  return (
    <div className={classes.view}>
      <HideSlider
        // A threshold from elsewhere starts the slider anew.
        key={limit}
        maxCm={field.maxCm}
        limitCm={limit}
        automatic={hideCm === null}
        onSet={(cm) => change({ hideCm: cm })}
      >
        {hideCm !== null && (
          <Button variant="default" size="sm" onClick={() => change({ hideCm: null })}>
            {texts.auto}
          </Button>
        )}
        <SegmentedControl
          aria-label={texts.render}
          data={[
            { value: 'solid', label: texts.solid },
            { value: 'wireframe', label: texts.wireframe },
          ]}
          value={wireframe ? 'wireframe' : 'solid'}
          onChange={(value) => change({ wireframe: value === 'wireframe' })}
        />
      </HideSlider>
      <p className={classes.note} role="status">
        {texts.hidden(shown, field.wet.length)}
        {shown === 0 && ` ${texts.nothingAbove}`}
      </p>
      {background.isError && <Message kind="warning">{texts.noBackground}</Message>}
      <div className={classes.scene}>
        {able ? (
          <section
            className={classes.stage}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys turn the view
            tabIndex={0}
            aria-label={texts.scene}
            data-testid="depth-3d"
            data-bars={shown}
            onKeyDown={(event) => moveByKey(event, handle.current)}
          >
            <Suspense fallback={<p className={classes.waiting}>{texts.loading}</p>}>
              <Scene
                field={field}
                shown={shown}
                wireframe={wireframe}
                background={background.data ?? null}
                scheme={scheme}
                handle={handle}
              />
            </Suspense>
            <ResetView className={classes.reset} handle={handle} />
          </section>
        ) : (
          <Message kind="warning">{texts.noWebGl}</Message>
        )}
        <BandTable field={field} limitCm={limit} />
      </div>
      {able && <p className={classes.note}>{texts.sceneHelp}</p>}
    </div>
  )
}

interface HideProps {
  maxCm: number
  limitCm: number
  automatic: boolean
  onSet: (cm: number) => void
  /** Beside the slider. */
  children: ReactNode
}

function HideSlider({ maxCm, limitCm, automatic, onSet, children }: HideProps) {
  const stops = useMemo(() => sliderStops(maxCm), [maxCm])
  // The threshold itself until the slider moves: a position is rounded.
  const [moved, setMoved] = useState<number | null>(null)
  const cm = moved ?? limitCm
  return (
    <div className={classes.hide}>
      <span className={classes.label}>
        {texts.hide} <output>{formatQuantityFr(cm, texts.hideUnits, 1, true)}</output>
        {automatic && cm === limitCm && <small> {texts.isAuto}</small>}
      </span>
      <div className={classes.hideRow}>
        <div className={classes.hideTrack}>
          <RangeSlider
            label={texts.hide}
            min={0}
            max={stops.length - 1}
            step={0.05}
            value={positionOf(cm, stops)}
            valueText={formatQuantityFr(cm, texts.hideUnits, 1, true)}
            onChange={(position) => setMoved(cmAt(position, stops))}
            ticks={stops.length}
          />
          <ol className={classes.stops} aria-hidden>
            {stops.map((stop) => (
              <li key={stop}>{formatNumberFr(stop, 0)}</li>
            ))}
          </ol>
        </div>
        <Button size="sm" variant="default" disabled={cm === limitCm} onClick={() => onSet(cm)}>
          {texts.set}
        </Button>
        {children}
      </div>
    </div>
  )
}

/** Legend of the bands, with what the drawing shows in numbers. */
function BandTable({ field, limitCm }: { field: DepthField; limitCm: number }) {
  const counts = useMemo(() => bandCounts(field), [field])
  const cellHa = field.place.cellSizeM ** 2 / 10_000
  return (
    <table className={classes.bands}>
      <caption>{texts.bandsCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.bands.band}</th>
          <th scope="col">{texts.bands.cells}</th>
          <th scope="col">{texts.bands.area}</th>
        </tr>
      </thead>
      <tbody>
        {BAND_NAMES.map((name, band) => (
          <tr key={name} data-hidden={band + 1 < LIMITS_CM.length && LIMITS_CM[band + 1] <= limitCm}>
            <th scope="row">
              <span style={{ background: BAND_COLORS[band] }} aria-hidden />
              {name}
            </th>
            <td>{formatNumberFr(counts[band])}</td>
            <td>{formatQuantityFr(counts[band] * cellHa, 'ha', 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
