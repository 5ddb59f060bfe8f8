import { useColorScheme } from '../../../app/color-scheme.ts'
import { useClock } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { FILLING_COLORS } from './SewerOverlay.tsx'
import classes from './Workspace.module.css'

/** Colours with their names, the first below. */
export function BandLegend({
  title,
  bands,
}: {
  title: string
  bands: readonly { color: string; label: string }[]
}) {
  return (
    <figure className={classes.legend} aria-label={title}>
      <figcaption>{title}</figcaption>
      <ul>
        {bands.map(({ color, label }) => (
          <li key={label}>
            <span style={{ background: color }} aria-hidden />
            {label}
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** @param now what is drawn follows the clock @param nodes they are drawn too */
export function SewerLegend({ now, nodes }: { now: boolean; nodes: boolean }) {
  const colors = FILLING_COLORS[useColorScheme()]
  const elapsed = useClock(({ timeS }) => (now ? formatElapsed(timeS) : ''))
  return (
    <>
      <BandLegend
        title={now ? texts.fillingNow(elapsed) : texts.fillingLegend}
        bands={texts.fillings.map((label, k) => ({ color: colors[k], label }))}
      />
      {nodes && <p className={classes.note}>{now ? texts.overflowNow : texts.overflowLegend}</p>}
    </>
  )
}
