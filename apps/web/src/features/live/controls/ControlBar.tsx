import {
  IconChevronDown,
  IconFocusCentered,
  IconCurrentLocation as IconFollow,
  IconSettings,
} from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useMemo } from 'react'
import { isSignedIn, useAuth } from '../../../app/auth/store.ts'
import { openModal } from '../../../app/modals.ts'
import { part } from '../../../app/part.tsx'
import type { Frames } from '../../../map/frames/useFrames.ts'
import { ageText } from '../../../player/age.ts'
import { PlayButtons } from '../../../player/PlayButtons.tsx'
import { BarEnd, Clock, OpacitySlider, PlayerBar, TimeSlider } from '../../../player/PlayerBar.tsx'
import { liveTexts } from '../../../texts/live.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { extrasMayLoad } from '../../../ui/load-order.ts'
import { useNow } from '../../../ui/useNow.ts'
import { followLive, goTo, step, togglePlay } from '../commands.ts'
import { leaveFuture, useFuture } from '../future/store.ts'
import { currentImage, useLive } from '../state/store.ts'
import { useStale } from '../useStale.ts'
import classes from './ControlBar.module.css'

interface Props {
  frames: Frames
  opacity: number
  onOpacity: (value: number) => void
  onOpacityEnd: (value: number) => void
  onRecentre: () => void
}

const forecastParts = () => extrasMayLoad().then(() => import('../future/ForecastTime.tsx'))
const ForecastTime = part(forecastParts, 'nothing')
const ForecastClock = part(() => forecastParts().then((m) => ({ default: m.ForecastClock })), 'nothing')

const texts = liveTexts.controls

export function ControlBar({ frames, opacity, onOpacity, onOpacityEnd, onRecentre }: Props) {
  const signedIn = useAuth(isSignedIn)
  const product = useLive((state) => state.product)
  return (
    <PlayerBar time={<LiveTime loaded={frames.loaded} />}>
      <LivePlay />
      <LiveClock />
      <FollowButton />
      <BarEnd>
        <OpacitySlider value={opacity} onChange={onOpacity} onEnd={onOpacityEnd} />
        <button
          type="button"
          className={classes.product}
          aria-label={texts.product(product)}
          aria-haspopup="dialog"
          onClick={() => openModal('selectProduct')}
        >
          {product}
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </button>
        <IconButton label={texts.recentre} onClick={onRecentre}>
          <IconFocusCentered size={20} stroke={1.75} />
        </IconButton>
        {signedIn && (
          <IconButton label={texts.configuration} onClick={() => openModal('user')}>
            <IconSettings size={20} stroke={1.75} />
          </IconButton>
        )}
      </BarEnd>
    </PlayerBar>
  )
}

function LivePlay() {
  const playing = useLive((state) => state.playing)
  const empty = useLive((state) => (state.data?.images.length ?? 0) === 0)
  return <PlayButtons playing={playing} empty={empty} onStep={step} onToggle={togglePlay} />
}

function LiveClock() {
  const inFuture = useFuture((state) => state.lead !== null)
  return (
    <>
      {!inFuture && <ImageClock />}
      {/* There before it has anything to show, so that it shows it at once. */}
      <Suspense>
        <ForecastClock />
      </Suspense>
    </>
  )
}

function ImageClock() {
  const datetime = useLive((state) => currentImage(state)?.datetime ?? null)
  const now = useNow()
  const why = useStale()
  const words = [
    ...(datetime === null ? [] : [ageText(datetime, now)]),
    ...(why === null ? [] : [texts.stale[why]]),
  ]
  return <Clock datetime={datetime} age={words.length === 0 ? undefined : words.join(', ')} />
}

function FollowButton() {
  const why = useStale()
  const touched = useLive((state) => state.touched)
  const last = useLive((state) => state.counter === (state.data?.images.length ?? 0) - 1)
  const following = !touched && last
  return (
    <button
      type="button"
      className={classes.follow}
      data-following={following && why === null}
      data-stale={why ?? undefined}
      disabled={following}
      title={why !== null ? texts.staleTip[why] : following ? texts.following : texts.followTip}
      onClick={followLive}
    >
      <IconFollow size={14} stroke={2} aria-hidden />
      {texts.follow}
    </button>
  )
}

function LiveTime({ loaded }: { loaded: number }) {
  const counter = useLive((state) => state.counter)
  const data = useLive((state) => state.data)
  const inFuture = useFuture((state) => state.lead !== null)
  const times = useMemo(() => data?.images.map(({ datetime }) => datetime) ?? [], [data])
  const last = times.length - 1
  const minutes = last > 0 ? (Date.parse(times[last]) - Date.parse(times[0])) / 60_000 : 1
  // At its end the browser's slider does not move any more: the forecast follows.
  const onKey = (event: KeyboardEvent) => {
    if (counter < last || (event.key !== 'ArrowRight' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    step(1)
  }
  return (
    <div className={classes.timeline}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what the slider inside does not take */}
      <div
        className={classes.past}
        data-left={inFuture || undefined}
        style={{ flexGrow: minutes }}
        onPointerUp={inFuture ? leaveFuture : undefined}
        onKeyDown={onKey}
      >
        <TimeSlider counter={inFuture ? last : counter} times={times} loaded={loaded} onChoose={goTo} />
      </div>
      <Suspense>
        <ForecastTime />
      </Suspense>
    </div>
  )
}
