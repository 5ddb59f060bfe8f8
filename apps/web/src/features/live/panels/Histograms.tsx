import { CHART_TITLES, coverage, hyetogram } from '@radx/charts/rain-charts'
import type { TimePoint } from '@radx/charts/time-chart'
import { useMemo } from 'react'
import { nearestImage } from '../../../player/nearest.ts'
import { TimeGraph } from '../../../player/TimeGraph.tsx'
import { Quantity } from '../../../ui/Quantity.tsx'
import { goTo } from '../commands.ts'
import { useFuture } from '../future/store.ts'
import { currentImage, useLive } from '../state/store.ts'

const HEIGHT = 132

/** The two histograms of the window, on the map's clock: the current frame is marked, a click goes there. */
export function Histograms() {
  return (
    <>
      <Histogram
        title={CHART_TITLES.hyetogram}
        field="nonzerosmean"
        unit="mm/h"
        decimals={2}
        build={hyetogram}
      />
      <Histogram title={CHART_TITLES.coverage} field="nonzerospc" unit="%" decimals={1} build={coverage} />
    </>
  )
}

interface Props {
  title: string
  field: 'nonzerosmean' | 'nonzerospc'
  unit: string
  decimals: number
  build: typeof coverage
}

function Histogram({ field, ...graph }: Props) {
  const data = useLive((state) => state.data)
  const ahead = useFuture((state) => state.lead !== null)
  const onMap = useLive(currentImage)
  const image = ahead ? null : onMap
  const points = useMemo<TimePoint[]>(
    () => data?.images.map((entry) => ({ datetime: entry.datetime, value: entry[field] })) ?? [],
    [data, field],
  )
  const pick = (instantMs: number) => {
    const state = useLive.getState()
    const index = state.data && nearestImage(state.data.images, new Date(instantMs).toISOString())
    if (index !== null) goTo(index)
  }
  return (
    <TimeGraph
      {...graph}
      height={HEIGHT}
      points={points}
      current={image?.datetime ?? null}
      onPick={pick}
      aside={<Quantity value={image?.[field]} unit={graph.unit} decimals={graph.decimals} />}
    />
  )
}
