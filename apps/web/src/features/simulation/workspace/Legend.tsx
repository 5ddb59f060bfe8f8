import { useColorScheme } from '../../../app/color-scheme.ts'
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

export function SewerLegend() {
  const colors = FILLING_COLORS[useColorScheme()]
  return (
    <BandLegend
      title={texts.fillingLegend}
      bands={texts.fillings.map((label, k) => ({ color: colors[k], label }))}
    />
  )
}
