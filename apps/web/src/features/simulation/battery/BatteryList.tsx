import { Progress } from '@mantine/core'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { Message } from '../../../ui/Message.tsx'
import { batteriesQuery } from './api.ts'
import classes from './Battery.module.css'

/** One's batteries, the newest first; nothing where there are none. */
export default function BatteryList() {
  const { timeZone } = useSite()
  const { data, error } = useQuery(batteriesQuery)
  if (error && !data) return <Message kind="error">{genericErrorText(error)}</Message>
  if (!data || data.length === 0) return null
  return (
    <section className={classes.part} aria-labelledby="batteries">
      <h2 id="batteries">{texts.list}</h2>
      <ul className={classes.batteries}>
        {data.map((battery) => (
          <li key={battery.id}>
            <h3>
              <Link to={`/multihydro/batterie/${battery.id}`}>{battery.title}</Link>
            </h3>
            <p className={classes.note}>
              {formatDateTimeFr(battery.date, timeZone)} ·{' '}
              {texts.count(battery.rains.length, battery.landUses.length)}
            </p>
            <p className={classes.note}>{texts.state(battery)}</p>
            {battery.open > 0 && (
              <Progress
                value={100 * battery.progress}
                size={8}
                aria-label={texts.progressOf(battery.title)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
