import type { RadarImage } from '@radx/contracts/radar'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { isSignedIn, useAuth } from '../../app/auth/store.ts'
import { part } from '../../app/part.tsx'
import { ScreenTitle } from '../../app/ScreenTitle.tsx'
import { useSite } from '../../app/site.ts'
import type { RadxMap } from '../../map/createMap.ts'
import { useFrames } from '../../map/frames/useFrames.ts'
import { usePlayback } from '../../player/usePlayback.ts'
import { usePlayerKeys } from '../../player/usePlayerKeys.ts'
import { liveTexts } from '../../texts/live.ts'
import { extrasMayLoad, releaseExtras } from '../../ui/load-order.ts'
import { useLiveAddress } from './address.ts'
import { Column } from './Column.tsx'
import { advance, position, step, togglePlay } from './commands.ts'
import { ControlBar } from './controls/ControlBar.tsx'
import { Dialogs } from './Dialogs.tsx'
import { placeOf, played } from './future/player.ts'
import { useFuture } from './future/store.ts'
import classes from './LiveScreen.module.css'
import { Notices } from './Notices.tsx'
import { LIVE_ADJUSTED, useLiveAdjusted } from './state/adjusted.ts'
import { dispatch, useLive } from './state/store.ts'
import { useLiveData } from './useLiveData.ts'

// Asked for with the screen itself: the map is what the reader came for.
let early: Promise<typeof import('./LiveMap.tsx')> | null = import('./LiveMap.tsx')
early.catch(() => undefined)
const LiveMap = part(() => {
  const asked = early ?? import('./LiveMap.tsx')
  // A second try asks anew.
  early = null
  return asked
})

const GaugeSource = part(() => extrasMayLoad().then(() => import('./GaugeSource.tsx')), 'nothing')
const ForecastSource = part(
  () => extrasMayLoad().then(() => import('./future/ForecastSource.tsx')),
  'nothing',
)

const NO_TIMES: readonly string[] = []

/** Checksums of all images; null when one has none, as from a server of before. */
function checksOf(images: readonly RadarImage[]): number[] | null {
  const checks = images.flatMap(({ check }) => (check === undefined ? [] : [check]))
  return checks.length === images.length ? checks : null
}

/** The live radar home. */
export default function LiveScreen() {
  const site = useSite()
  const stage = useRef<HTMLDivElement>(null)
  const map = useRef<RadxMap | null>(null)
  const { product, opacity, setOpacity, selectProduct } = useLiveAddress(site)
  const [shownOpacity, setShownOpacity] = useState(opacity)
  useEffect(() => setShownOpacity(opacity), [opacity])
  const query = useLiveData(product)
  const data = useLive((state) => (state.product === product ? state.data : null))
  const times = useMemo(() => data?.images.map((image) => image.datetime) ?? NO_TIMES, [data])
  const grid = useMemo(() => {
    const { bounds, steps } = site.products.find((entry) => entry.shortName === product) ?? site.products[0]
    return { product, bounds, steps }
  }, [site, product])
  const checks = useMemo(() => checksOf(data?.images ?? []), [data])
  const signedIn = useAuth(isSignedIn)
  const adjusted = useLiveAdjusted(({ on }) => on) && signedIn
  const frames = useFrames(grid, times, adjusted ? { adjusted: LIVE_ADJUSTED } : { checks })
  const newest = times.at(-1) ?? null
  const playing = useLive((state) => state.playing)
  const count = useFuture(({ lead, forecast }) => played({ count: times.length, counter: 0, lead, forecast }))
  usePlayback({
    playing,
    count,
    ready: () => {
      const next = (placeOf(position()) + 1) % count
      return next >= times.length || frames.store.has(times[next])
    },
    advance,
  })
  usePlayerKeys({ step, togglePlay })
  // Without an image there is no first frame to wait for.
  const noFrame = query.isError || frames.error !== null || query.data?.images.length === 0
  useEffect(() => {
    if (noFrame) releaseExtras()
  }, [noFrame])
  useEffect(
    () => () => {
      dispatch({ type: 'killed' })
      releaseExtras()
    },
    [],
  )

  return (
    <div className={classes.root}>
      <ScreenTitle />
      <div ref={stage} className={classes.stage}>
        <div className={classes.map}>
          <Suspense fallback={<p className={classes.wait}>{liveTexts.mapLoading}</p>}>
            <LiveMap
              store={frames.store}
              times={times}
              opacity={shownOpacity}
              stage={stage}
              onFirstFrame={releaseExtras}
              onMap={(made) => {
                map.current = made
              }}
            />
          </Suspense>
        </div>
        <Notices query={query} frames={frames} wanted={times.length} adjusted={adjusted} />
        <ControlBar
          frames={frames}
          opacity={shownOpacity}
          onOpacity={setShownOpacity}
          onOpacityEnd={setOpacity}
          onRecentre={() => map.current?.recentre()}
        />
      </div>
      <Column query={query} />
      <Suspense>
        <ForecastSource grid={grid} newest={newest} />
      </Suspense>
      {signedIn && (
        <Suspense>
          <GaugeSource grid={grid} newest={newest} />
        </Suspense>
      )}
      <Dialogs onProduct={selectProduct} />
    </div>
  )
}
