import { formatNumberFr } from '@radx/locale/format-fr'
import { sewerTexts as texts } from '../texts/sewer.ts'
import classes from './NetworkMap.module.css'
import type { SewerNetwork } from './network.ts'

/** What the marks of the map stand for, and how many there are. */
export function MapLegend({ network: { nodes, links, areas = [] } }: { network: SewerNetwork }) {
  const overflowing = nodes.filter((node) => node.overflows).length
  const outfalls = nodes.filter(({ kind }) => kind === 'outfall').length
  const rows = [
    ['junction', texts.junction, nodes.length - overflowing - outfalls],
    ['overflow', texts.overflowing, overflowing],
    ['outfall', texts.outfall, outfalls],
    ['link', texts.link, links.length],
    ...(areas.length > 0
      ? ([['area', areas[0].runoffMm === null ? texts.area : texts.areaRunoff, areas.length]] as const)
      : []),
  ] as const
  return (
    <section className={classes.legend} aria-label={texts.legend}>
      <ul>
        {rows.map(([sort, label, count]) => (
          <li key={sort}>
            <span className={classes.mark} data-sort={sort} />
            {label}
            <small>{formatNumberFr(count)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
