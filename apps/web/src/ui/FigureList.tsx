import classes from './FigureList.module.css'
import { Quantity } from './Quantity.tsx'

export interface Figure {
  label: string
  value: number | null | undefined
  unit: string
  decimals: number
}

/** Readings in a row, each under its name. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.root} data-testid="figures">
      {figures.map(({ label, ...quantity }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Quantity {...quantity} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
