import type { CatchmentCollection } from '@radx/contracts/catchments'
import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { selectionTexts as texts } from '../texts/selection.ts'
import classes from './CatchmentList.module.css'

interface Props {
  collection: CatchmentCollection
  catchment: string | null
  subcatchment: string | null
  onChoose: (catchment: string, subcatchment: string | null) => void
}

/** Basins, each with its parts, and what the site says of the chosen one; choosing what is chosen lets it go. */
export function CatchmentList({ collection, catchment, subcatchment, onChoose }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(subcatchment && catchment ? [catchment] : []),
  )
  // A part that the address or the map chose must be seen.
  useEffect(() => {
    if (catchment !== null && subcatchment !== null) setOpen((before) => new Set([...before, catchment]))
  }, [catchment, subcatchment])
  const areas = collection.features.map(({ properties }) => properties)
  const chosen = areas.find(({ key }) => key === (subcatchment ?? catchment))
  const toggle = (key: string) =>
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return (
    <section aria-label={texts.catchments}>
      <h2 className={classes.title}>{texts.catchment}</h2>
      <ul className={classes.list}>
        {areas
          .filter(({ parent }) => parent === null)
          .map(({ key, name }) => {
            const parts = areas.filter(({ parent }) => parent === key)
            const expanded = open.has(key)
            return (
              <li key={key}>
                <div className={classes.row}>
                  <button
                    type="button"
                    className={classes.area}
                    aria-pressed={catchment === key && subcatchment === null}
                    data-within={catchment === key}
                    onClick={() => onChoose(key, null)}
                  >
                    {name}
                  </button>
                  {parts.length > 0 && (
                    <button
                      type="button"
                      className={classes.expand}
                      aria-expanded={expanded}
                      aria-label={expanded ? texts.collapse(name) : texts.expand(name)}
                      onClick={() => toggle(key)}
                    >
                      <IconChevronRight size={16} stroke={1.75} />
                    </button>
                  )}
                </div>
                {expanded && (
                  <ul className={classes.parts}>
                    {parts.map((part) => (
                      <li key={part.key}>
                        <button
                          type="button"
                          className={classes.area}
                          aria-pressed={subcatchment === part.key}
                          onClick={() => onChoose(key, part.key)}
                        >
                          {part.name}
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            )
          })}
      </ul>
      {chosen?.note && <p className={classes.note}>{chosen.note}</p>}
    </section>
  )
}

/** What the tints of the calendar mean. @param place name of the area whose rain they show */
export function CalendarLegend({ place }: { place: string }) {
  return (
    <section className={classes.legend} aria-label={texts.legend}>
      <h3>{texts.legend}</h3>
      <p>
        {texts.legendDetail(place)} <span className="rx-unit">(mm/h)</span>
      </p>
      <ol>
        <li>
          <span />
          {texts.legendBelow}
        </li>
        {INTENSITY_CLASSES.map(({ lowMmH, color, labelFr }) => (
          <li key={lowMmH}>
            <span style={{ background: color }} />
            {labelFr}
          </li>
        ))}
      </ol>
    </section>
  )
}
