import type { Cumulated } from '@radx/contracts/radar'
import { MethodSwitch } from '../../../player/MethodSwitch.tsx'
import { shownTotals, useRainMethod } from '../../../player/rain-method.ts'
import { columnTexts } from '../../../texts/live-column.ts'
import { qualityTexts } from '../../../texts/quality-of-rain.ts'
import { FigureList } from '../../../ui/FigureList.tsx'
import { useFuture } from '../future/store.ts'
import { currentImage, useLive } from '../state/store.ts'

const texts = columnTexts.figures

type Totals = Omit<Cumulated, 'moved'>

/** How hard and how widely it rains in the image on the map. */
export function Figures() {
  // Of a forecast only classes are known.
  const ahead = useFuture((state) => state.lead !== null)
  const onMap = useLive(currentImage)
  const image = ahead ? null : onMap
  const counter = useLive((state) => state.counter)
  const cumulated = useLive((state) => state.data?.cumulated ?? null)
  const wanted = useRainMethod((state) => state.method)
  const shown = cumulated === null ? null : shownTotals<Totals>(cumulated, wanted)
  const cumul = ahead ? null : (shown?.totals.zoneMm[counter] ?? null)
  return (
    <>
      <FigureList
        figures={[
          { label: texts.rmoyen, value: image?.nonzerosmean, unit: 'mm/h', decimals: 2 },
          { label: texts.max, value: image?.max, unit: 'mm/h', decimals: 1 },
          { label: texts.coverage, value: image?.nonzerospc, unit: '%', decimals: 1 },
          { label: texts.cumul, value: cumul, unit: 'mm', decimals: 2 },
          ...(image?.quality
            ? [{ label: qualityTexts.figure, value: image.quality.zone, unit: '', decimals: 2 }]
            : []),
        ]}
      />
      {shown && <MethodSwitch shown={shown.method} />}
    </>
  )
}
