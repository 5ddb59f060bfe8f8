import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
} from '@tabler/icons-react'
import { playerTexts as texts } from '../texts/player.ts'
import { IconButton } from '../ui/IconButton.tsx'
import classes from './PlayButtons.module.css'

interface Props {
  playing: boolean
  /** Whether there is nothing to play. */
  empty: boolean
  onStep: (by: 1 | -1) => void
  onToggle: () => void
}

/** Back, play or pause, on: the same buttons for every clock. Their keys are those of {@link usePlayerKeys}. */
export function PlayButtons({ playing, empty, onStep, onToggle }: Props) {
  return (
    <div className={classes.root} data-tour="play">
      <IconButton label={texts.previous} disabled={empty} onClick={() => onStep(-1)}>
        <IconPlayerSkipBackFilled size={18} />
      </IconButton>
      <IconButton
        label={playing ? texts.pause : texts.play}
        disabled={empty}
        onClick={onToggle}
        variant="filled"
      >
        {playing ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </IconButton>
      <IconButton label={texts.next} disabled={empty} onClick={() => onStep(1)}>
        <IconPlayerSkipForwardFilled size={18} />
      </IconButton>
    </div>
  )
}
