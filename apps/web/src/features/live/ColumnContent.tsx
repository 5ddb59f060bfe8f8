import { Suspense } from 'react'
import { part } from '../../app/part.tsx'
import { useSite } from '../../app/site.ts'
import { Figures } from './panels/Figures.tsx'
import { Histograms } from './panels/Histograms.tsx'
import { HomeMessage } from './panels/HomeMessage.tsx'
import { MrrPanel } from './panels/MrrPanel.tsx'
import { ParamsPanel } from './panels/ParamsPanel.tsx'
import { StationPanel } from './panels/StationPanel.tsx'
import { useLiveGauges } from './state/gauges.ts'

const NowcastPanel = part(() => import('./panels/NowcastPanel.tsx'))
const AdjustedPanel = part(() => import('./panels/AdjustedPanel.tsx'))
const FanPanel = part(() => import('./panels/FanPanel.tsx'))
const GaugePanel = part(() => import('./panels/GaugePanel.tsx'))

/** What stands in the column; a chunk of its own, so that the map comes first. */
export default function ColumnContent() {
  const site = useSite()
  const gauges = useLiveGauges((state) => state.gauges)
  return (
    <>
      <HomeMessage />
      <Suspense>
        <NowcastPanel />
      </Suspense>
      <Figures />
      <Histograms />
      <Suspense>
        <FanPanel />
      </Suspense>
      {gauges && (
        <Suspense>
          <AdjustedPanel />
          <GaugePanel gauges={gauges} />
        </Suspense>
      )}
      {site.hasStation && <StationPanel />}
      {site.microRainRadar && <MrrPanel />}
      <ParamsPanel />
    </>
  )
}
