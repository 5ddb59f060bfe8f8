import { IconFocusCentered } from '@tabler/icons-react'
import { PlayButtons } from '../../../player/PlayButtons.tsx'
import { BarEnd, Clock, OpacitySlider, PlayerBar, TimeSlider } from '../../../player/PlayerBar.tsx'
import { mapTexts } from '../../../texts/map.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { currentImage, dispatch, step, togglePlay, useArchive } from './store.ts'

interface Props {
  times: readonly string[]
  loaded: number
  opacity: number
  onOpacity: (value: number) => void
  onOpacityEnd: (value: number) => void
  onRecentre: () => void
}

export function ControlBar({ times, loaded, opacity, onOpacity, onOpacityEnd, onRecentre }: Props) {
  return (
    <PlayerBar time={<ArchiveTime times={times} loaded={loaded} />}>
      <ArchivePlay />
      <ArchiveClock />
      <BarEnd>
        <OpacitySlider value={opacity} onChange={onOpacity} onEnd={onOpacityEnd} />
        <IconButton label={mapTexts.recentre} onClick={onRecentre}>
          <IconFocusCentered size={20} stroke={1.75} />
        </IconButton>
      </BarEnd>
    </PlayerBar>
  )
}

function ArchiveTime({ times, loaded }: { times: readonly string[]; loaded: number }) {
  const counter = useArchive((state) => state.counter)
  return (
    <TimeSlider
      counter={counter}
      times={times}
      loaded={loaded}
      onChoose={(next) => dispatch({ type: 'chosen', counter: next })}
    />
  )
}

function ArchivePlay() {
  const playing = useArchive((state) => state.playing)
  const empty = useArchive((state) => state.images.length === 0)
  return <PlayButtons playing={playing} empty={empty} onStep={step} onToggle={togglePlay} />
}

function ArchiveClock() {
  return <Clock datetime={useArchive((state) => currentImage(state)?.datetime ?? null)} />
}
