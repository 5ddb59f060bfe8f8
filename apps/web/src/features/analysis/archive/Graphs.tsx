import { CHART_TITLES, catchmentHyetogram, coverage, hyetogram } from '@radx/charts/rain-charts'
import type { TimePoint } from '@radx/charts/time-chart'
import type { RadarImage } from '@radx/contracts/radar'
import { IconArrowsMaximize } from '@tabler/icons-react'
import { useMemo } from 'react'
import { openModal } from '../../../app/modals.ts'
import { GaugePanel } from '../../../gauges/GaugePanel.tsx'
import type { Gauges } from '../../../gauges/useGauges.ts'
import { MethodSwitch } from '../../../player/MethodSwitch.tsx'
import { nearestImage } from '../../../player/nearest.ts'
import { TimeGraph } from '../../../player/TimeGraph.tsx'
import { analysisTexts as texts } from '../../../texts/analysis.ts'
import { gaugeTexts } from '../../../texts/gauges.ts'
import { qualityTexts } from '../../../texts/quality-of-rain.ts'
import { stationTexts } from '../../../texts/station.ts'
import { FigureList } from '../../../ui/FigureList.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Section } from '../../../ui/Section.tsx'
import { StationView } from '../../../ui/station/StationView.tsx'
import { GraphExport } from '../exports/GraphExport.tsx'
import type { ExportRequest } from '../exports/request.ts'
import classes from './Graphs.module.css'
import { MicroRainRadar } from './MicroRainRadar.tsx'
import { currentImage, dispatch, useArchive, useTotals } from './store.ts'

const HEIGHT = 150
/** The graphs stand below each other on one clock. */
const MARGINS = { left: 40, right: 40 }

interface Props {
  product: string
  /** Name of the chosen basin. */
  place: string | null
  gauges: Gauges
  period: { s: string; e: string }
  exported: ExportRequest
  /** What the map shows adjusted to gauges, `method.mode`; null where it shows the original. */
  adjusted: string | null
}

function useSeries(value: (image: RadarImage) => number | null): TimePoint[] {
  const images = useArchive((state) => state.images)
  return useMemo(
    () => images.map((image) => ({ datetime: image.datetime, value: value(image) })),
    [images, value],
  )
}

const rmoyen = (image: RadarImage) => image.nonzerosmean
const share = (image: RadarImage) => image.nonzerospc
const ofCatchment = (image: RadarImage) => image.catchment?.mean ?? null

/** A click goes to the nearest image, however far: an archive has gaps. */
function pick(instantMs: number): void {
  const index = nearestImage(
    useArchive.getState().images,
    new Date(instantMs).toISOString(),
    Number.POSITIVE_INFINITY,
  )
  if (index !== null) dispatch({ type: 'chosen', counter: index })
}

/** The period's graphs, its gauges and its weather, on the map's clock. */
export function Graphs({ product, place, gauges, period, exported, adjusted }: Props) {
  const images = useArchive((state) => state.images)
  const shown = useTotals()
  const cumulated = shown?.totals
  const method = shown?.method
  const gaps = useArchive((state) => state.gaps)
  const taranis = useArchive((state) => state.taranis)
  const current = useArchive((state) => currentImage(state)?.datetime ?? null)
  const running = (totals: readonly number[] | null | undefined) =>
    totals ? images.map(({ datetime }, i) => ({ datetime, value: totals[i] ?? null })) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: images and cumulated come together
  const zoneMm = useMemo(() => running(cumulated?.zoneMm), [cumulated])
  // biome-ignore lint/correctness/useExhaustiveDependencies: images and cumulated come together
  const catchmentMm = useMemo(() => running(cumulated?.catchmentMm), [cumulated])
  const zone = useSeries(rmoyen)
  const wet = useSeries(share)
  const basin = useSeries(ofCatchment)
  const range = useMemo(() => ({ start: period.s, end: period.e }), [period])
  const common = { height: HEIGHT, gaps, margins: MARGINS, range, current, onPick: pick }
  return (
    <aside className={classes.root} aria-label={texts.graphs}>
      <Figures place={place} />
      <TimeGraph
        {...common}
        title={CHART_TITLES.hyetogram}
        unit="mm/h"
        decimals={2}
        build={hyetogram}
        points={zone}
        cumulMm={zoneMm}
        method={method}
        aside={
          <GraphExport {...exported} adjusted={adjusted} graph="hyetogram" name={CHART_TITLES.hyetogram} />
        }
      />
      {place !== null && (
        <TimeGraph
          {...common}
          title={texts.catchmentHyetogram(place)}
          unit="mm/h"
          decimals={2}
          build={catchmentHyetogram}
          points={basin}
          cumulMm={catchmentMm}
          method={method}
          aside={
            <GraphExport
              {...exported}
              adjusted={adjusted}
              graph="catchment"
              name={texts.catchmentHyetogram(place)}
            />
          }
        />
      )}
      <TimeGraph
        {...common}
        title={CHART_TITLES.coverage}
        unit="%"
        decimals={1}
        build={coverage}
        points={wet}
        aside={
          <GraphExport {...exported} adjusted={adjusted} graph="coverage" name={CHART_TITLES.coverage} />
        }
      />
      <GaugePanel
        gauges={gauges}
        current={current}
        onPick={pick}
        gaps={gaps}
        margins={MARGINS}
        range={range}
        periodSeconds={(Date.parse(period.e) - Date.parse(period.s)) / 1000}
        aside={({ point }, number) => (
          <GraphExport
            {...exported}
            adjusted={adjusted}
            graph="pixel"
            name={gaugeTexts.name(number)}
            at={point.pos}
          />
        )}
      />
      <MicroRainRadar
        product={product}
        period={period}
        range={range}
        margins={MARGINS}
        gaps={gaps}
        current={current}
        onPick={pick}
      />
      {taranis && (
        <Section
          title={stationTexts.title}
          aside={
            <IconButton
              label={stationTexts.open}
              tip="left"
              size={28}
              onClick={() => openModal('weatherStation')}
            >
              <IconArrowsMaximize size={16} stroke={1.75} />
            </IconButton>
          }
        >
          <StationView taranis={taranis} size="panel" />
        </Section>
      )}
    </aside>
  )
}

/** The image on the map in figures. */
function Figures({ place }: { place: string | null }) {
  const image = useArchive(currentImage)
  const counter = useArchive((state) => state.counter)
  const shown = useTotals()
  const cumul = shown?.totals.zoneMm[counter] ?? null
  const { rmoyen: mean, max, coverage: wet, cumul: total, catchment } = texts.figures
  return (
    <>
      <FigureList
        figures={[
          { label: mean, value: image?.nonzerosmean, unit: 'mm/h', decimals: 2 },
          ...(place === null
            ? []
            : [{ label: catchment, value: image?.catchment?.mean, unit: 'mm/h', decimals: 2 }]),
          { label: max, value: image?.max, unit: 'mm/h', decimals: 1 },
          { label: wet, value: image?.nonzerospc, unit: '%', decimals: 1 },
          { label: total, value: cumul, unit: 'mm', decimals: 2 },
          ...(image?.quality
            ? [{ label: qualityTexts.figure, value: image.quality.zone, unit: '', decimals: 2 }]
            : []),
        ]}
      />
      {shown && <MethodSwitch shown={shown.method} />}
    </>
  )
}
