import { columnTexts } from '../../../texts/live-column.ts'
import { FigureList } from '../../../ui/FigureList.tsx'
import { currentImage, useLive } from '../state/store.ts'

const texts = columnTexts.figures

/** How hard and how widely it rains in the image on the map. */
export function Figures() {
  const image = useLive(currentImage)
  const cumul = useLive((state) => state.data?.cumulated?.zoneMm[state.counter] ?? null)
  return (
    <FigureList
      figures={[
        { label: texts.rmoyen, value: image?.nonzerosmean, unit: 'mm/h', decimals: 2 },
        { label: texts.max, value: image?.max, unit: 'mm/h', decimals: 1 },
        { label: texts.coverage, value: image?.nonzerospc, unit: '%', decimals: 1 },
        { label: texts.cumul, value: cumul, unit: 'mm', decimals: 2 },
      ]}
    />
  )
}
