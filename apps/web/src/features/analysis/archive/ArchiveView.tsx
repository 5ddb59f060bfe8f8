import type { CatchmentCollection } from '@radx/contracts/catchments'
import { ACCUMULATION_MAX_DAYS } from '@radx/contracts/constants'
import type { Product } from '@radx/contracts/radar'
import type { LatLng } from '@radx/contracts/site'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useModal } from '../../../app/modals.ts'
import { part } from '../../../app/part.tsx'
import { useGauges } from '../../../gauges/useGauges.ts'
import type { RadxMap } from '../../../map/createMap.ts'
import { useFrames } from '../../../map/frames/useFrames.ts'
import { useAccumulation } from '../../../map/useAccumulation.ts'
import { useRainMethod } from '../../../player/rain-method.ts'
import { usePlayback } from '../../../player/usePlayback.ts'
import { usePlayerKeys } from '../../../player/usePlayerKeys.ts'
import { rainQuery } from '../../../selection/address.ts'
import { useNames } from '../../../selection/SelectionPanel.tsx'
import type { Selection } from '../../../selection/selection.ts'
import { analysisTexts as texts } from '../../../texts/analysis.ts'
import { selectionTexts } from '../../../texts/selection.ts'
import { Message } from '../../../ui/Message.tsx'
import { StationDialog } from '../../../ui/station/StationDialog.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { AnalysisAddress } from '../address.ts'
import { ExportSection } from '../exports/ExportSection.tsx'
import { isOver } from '../exports/request.ts'
import { KeyboardHelp } from '../help/KeyboardHelp.tsx'
import { ratedGauges, ratedNames } from '../rarity/useRarity.ts'
import classes from './ArchiveView.module.css'
import { ControlBar } from './ControlBar.tsx'
import { Graphs } from './Graphs.tsx'
import { SaveForm } from './SaveForm.tsx'
import { Synthesis } from './Synthesis.tsx'
import { currentImage, dispatch, step, togglePlay, useArchive } from './store.ts'
import type { ArchiveRequest } from './useArchiveLoad.ts'

const ArchiveMap = part(() => import('./ArchiveMap.tsx'))
const Rarity = part(() => import('../rarity/Rarity.tsx'))
const GaugeComparison = part(() => import('../gauges/GaugeComparison.tsx'))
const Scaling = part(() => import('../scaling/Scaling.tsx'))

interface Props {
  product: Product
  catchments: CatchmentCollection
  request: ArchiveRequest
  selection: Selection
  address: AnalysisAddress
}

/** Map and graphs on one clock, and below them what the period amounts to and what can be done with it. */
export function ArchiveView({ product, catchments, request, selection, address }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const map = useRef<RadxMap | null>(null)
  const nameOf = useNames(catchments)
  const images = useArchive((state) => state.images)
  const current = useArchive((state) => currentImage(state)?.datetime ?? null)
  const times = useMemo(() => images.map(({ datetime }) => datetime), [images])
  const grid = useMemo(
    () => ({ product: product.shortName, bounds: product.bounds, steps: product.steps }),
    [product],
  )
  const adjusted = useMemo(() => {
    if (address.adjusted === null) return null
    const [method, mode] = address.adjusted.split('.')
    return { method, mode, ws: request.s, we: request.e }
  }, [address.adjusted, request])
  const frames = useFrames(grid, times, { newestFirst: false, step: request.step, adjusted })
  const method = useRainMethod((state) => state.method)
  const accumulation = useAccumulation(
    grid,
    request,
    address.cumul && !isOver(request, ACCUMULATION_MAX_DAYS),
    adjusted,
    method,
  )
  const period = useMemo(() => ({ s: request.s, e: request.e }), [request])
  const gauges = useGauges(product.shortName, grid, period)
  const [opacity, setOpacity] = useState(address.opacity)
  useEffect(() => setOpacity(address.opacity), [address.opacity])
  const playing = useArchive((state) => state.playing)
  usePlayback({
    playing,
    ready: () => frames.store.has(times[(useArchive.getState().counter + 1) % times.length]),
    count: times.length,
    advance: () => dispatch({ type: 'advanced' }),
  })
  usePlayerKeys({ step, togglePlay })
  const firstHere = frames.loaded > 0
  useEffect(() => {
    if (firstHere) dispatch({ type: 'layersCreated' })
  }, [firstHere])
  const modal = useModal((state) => state.type)
  const taranis = useArchive((state) => state.taranis)
  const exported = { selection, period }
  const show = (index: number, at: LatLng | null) => {
    dispatch({ type: 'paused' })
    dispatch({ type: 'chosen', counter: index })
    if (at) map.current?.flyTo(at, 12)
    stage.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <>
      <div className={classes.work}>
        <div ref={stage} className={classes.stage}>
          <div className={classes.map}>
            <Suspense>
              <ArchiveMap
                product={product.shortName}
                frames={frames}
                accumulation={accumulation}
                times={times}
                step={request.step ?? null}
                opacity={opacity}
                catchments={catchments}
                selection={selection}
                gauges={gauges}
                period={period}
                stage={stage}
                cumul={address.cumul}
                onCumul={address.setCumul}
                onMap={(made) => {
                  map.current = made
                }}
              />
            </Suspense>
          </div>
          <div className={classes.notices}>
            {adjusted && (
              <p className={classes.progress} role="status">
                {texts.adjustedShown(adjusted.method, adjusted.mode)}
                <TextButton onClick={() => address.setAdjusted(null)}>{texts.showOriginal}</TextButton>
              </p>
            )}
            {address.step !== null && (
              <p className={classes.progress}>{texts.stepped(selectionTexts.step.of(address.step))}</p>
            )}
            {address.cumul && isOver(request, ACCUMULATION_MAX_DAYS) && (
              <Message kind="nfo">{texts.cumulTooLong(ACCUMULATION_MAX_DAYS)}</Message>
            )}
            {frames.error && (
              <Message kind="error" action={<TextButton onClick={frames.retry}>{texts.retry}</TextButton>}>
                {genericErrorText(frames.error)}
              </Message>
            )}
            {frames.loaded < times.length && !frames.error && (
              <p className={classes.progress} role="status">
                {texts.framesLoading(frames.loaded, times.length)}
                <TextButton onClick={address.unload}>{texts.cancel}</TextButton>
              </p>
            )}
            {accumulation.pending && (
              <p className={classes.progress} role="status">
                {texts.cumulLoading}
              </p>
            )}
            {accumulation.error && (
              <Message
                kind="error"
                action={<TextButton onClick={accumulation.retry}>{texts.retry}</TextButton>}
              >
                {genericErrorText(accumulation.error)}
              </Message>
            )}
          </div>
          <ControlBar
            times={times}
            loaded={frames.loaded}
            opacity={opacity}
            onOpacity={setOpacity}
            onOpacityEnd={address.setOpacity}
            onRecentre={() => map.current?.recentre()}
          />
        </div>
        <Graphs
          product={product.shortName}
          place={selection.catchment === null ? null : nameOf(selection.subcatchment ?? selection.catchment)}
          gauges={gauges}
          period={period}
          exported={exported}
          adjusted={address.adjusted}
        />
      </div>
      <div className={classes.below}>
        <Synthesis
          selection={selection}
          period={period}
          nameOf={nameOf}
          gauges={gauges}
          product={product}
          onShow={show}
        />
        <Suspense>
          <Rarity {...exported} gauges={ratedGauges(gauges)} names={ratedNames(gauges)} />
        </Suspense>
        <div className={classes.wide}>
          <Suspense>
            <GaugeComparison {...exported} shown={address.adjusted} onShow={address.setAdjusted} />
          </Suspense>
        </div>
        <div className={classes.wide}>
          <Suspense>
            <Scaling {...exported} />
          </Suspense>
        </div>
        <SaveForm selection={selection} period={period} />
        <ExportSection
          {...exported}
          current={current}
          gauges={gauges.list.map(({ point }) => point.pos)}
          adjusted={address.adjusted}
        />
        <div className={classes.foot}>
          <KeyboardHelp />
          <SimulateLink request={request} />
        </div>
      </div>
      {modal === 'weatherStation' && taranis && <StationDialog taranis={taranis} />}
    </>
  )
}

/** The simulation form with this rain filled in. */
function SimulateLink({ request: { product, s, e } }: { request: ArchiveRequest }) {
  return (
    <a className={classes.simulate} href={`/multihydro/form?${rainQuery(product, s, e)}`}>
      {texts.simulate}
    </a>
  )
}
