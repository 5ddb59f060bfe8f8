import { LIVE_REFRESH_SECONDS } from '@radx/contracts/constants'
import type { LiveResponse } from '@radx/contracts/radar'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { callJson } from '../../app/api/client.ts'
import { useSite } from '../../app/site.ts'
import { Attribution } from '../../map/controls/Attribution.tsx'
import { IntensityLegend } from '../../map/controls/Legend.tsx'
import { useFrames } from '../../map/frames/useFrames.ts'
import { RadarMap } from '../../map/RadarMap.tsx'
import { useReferenceParts } from '../../map/reference/parts.ts'
import { PlayButtons } from '../../player/PlayButtons.tsx'
import { usePlayback } from '../../player/usePlayback.ts'
import { zonedFr } from '../../share/words.ts'
import { embedTexts as texts } from '../../texts/embed.ts'
import classes from './EmbedScreen.module.css'

const NO_TIMES: readonly string[] = []

/** What everyone may see of the radar, for a frame of another site: no menu, no session, nothing to change. */
export default function EmbedScreen() {
  const { pathname, search } = window.location
  return pathname.startsWith('/embed/direct') ? (
    <Live asked={new URLSearchParams(search).get('p')} />
  ) : (
    <Refused path={pathname.replace(/^\/embed/, '') + search} />
  )
}

/** Other screens show chosen periods and results, which are for who is signed in. */
function Refused({ path }: { path: string }) {
  const { name } = useSite()
  return (
    <main className={classes.refused}>
      <p>{texts.signIn}</p>
      <Out to={path}>{texts.open(name)}</Out>
    </main>
  )
}

const Out = ({ to, children }: { to: string; children: string }) => (
  <a className={classes.out} href={to} target="_blank" rel="noopener">
    {children}
  </a>
)

function Live({ asked }: { asked: string | null }) {
  const site = useSite()
  const reference = useReferenceParts()
  const {
    shortName: product,
    bounds,
    steps,
  } = site.products.find(
    ({ shortName, activeStatus, made }) => shortName === asked && activeStatus && !made,
  ) ??
  site.products.find(({ shortName }) => shortName === site.defaultProduct) ??
  site.products[0]
  const query = useQuery({
    queryKey: ['embed', product],
    queryFn: ({ signal }) =>
      callJson<LiveResponse>('/api/products/latestImages', { query: { p: product }, signal }),
    refetchInterval: 1000 * LIVE_REFRESH_SECONDS,
  })
  const times = useMemo(() => query.data?.images.map(({ datetime }) => datetime) ?? NO_TIMES, [query.data])
  const grid = useMemo(() => ({ product, bounds, steps }), [product, bounds, steps])
  const frames = useFrames(grid, times)
  /** A moment that was chosen; the newest without. */
  const [chosen, setChosen] = useState<string | null>(null)
  const [playing, setPlaying] = useState(false)
  const last = times.length - 1
  const found = chosen === null ? last : times.indexOf(chosen)
  const place = found < 0 ? last : found
  const go = (next: number) => {
    const at = (next + times.length) % times.length
    setChosen(at === last ? null : times[at])
  }
  usePlayback({
    playing,
    count: times.length,
    ready: () => frames.store.has(times[(place + 1) % times.length]),
    advance: () => go(place + 1),
  })
  useEffect(() => {
    document.title = texts.title(site.name)
  }, [site.name])
  const time = times[place] ?? null
  const trouble = query.isError
    ? texts.failed
    : query.data?.isRadarDown
      ? texts.down
      : query.data?.images.length === 0
        ? texts.none
        : null
  return (
    <main className={classes.root}>
      <div className={classes.map}>
        <RadarMap
          store={frames.store}
          times={times}
          time={time}
          opacity={100}
          reference={reference}
          {...site.map}
        >
          <div className={classes.legend}>
            <IntensityLegend />
          </div>
          <div className={classes.attribution}>
            <Attribution />
          </div>
        </RadarMap>
        {trouble && (
          <p className={classes.notice} role="status">
            {trouble}
          </p>
        )}
      </div>
      <div className={classes.bar}>
        <PlayButtons
          playing={playing}
          empty={times.length === 0}
          onToggle={() => setPlaying(!playing)}
          onStep={(by) => {
            setPlaying(false)
            go(place + by)
          }}
        />
        <time dateTime={time ?? undefined} data-testid="clock">
          {time === null ? texts.loading : zonedFr(time, site.timeZone)}
        </time>
        <input
          type="range"
          aria-label={texts.time}
          aria-valuetext={time === null ? undefined : zonedFr(time, site.timeZone)}
          min={0}
          max={Math.max(0, last)}
          value={Math.max(0, place)}
          disabled={times.length === 0}
          onChange={({ currentTarget }) => {
            setPlaying(false)
            go(currentTarget.valueAsNumber)
          }}
        />
        <Out to={product === site.defaultProduct ? '/' : `/?p=${encodeURIComponent(product)}`}>
          {texts.open(site.name)}
        </Out>
      </div>
    </main>
  )
}
