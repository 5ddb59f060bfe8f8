import legend from './Legend.module.css'

interface Props {
  /** From the lowest class to the highest, which stands on top. */
  classes: readonly { color: string; label: string }[]
}

/** Swatches of classes with what they mean. */
export function LegendScale({ classes }: Props) {
  return (
    <ol className={legend.scale}>
      {classes.toReversed().map(({ color, label }) => (
        <li key={label}>
          <span className={legend.swatch} style={{ background: color }} />
          {label}
        </li>
      ))}
    </ol>
  )
}
