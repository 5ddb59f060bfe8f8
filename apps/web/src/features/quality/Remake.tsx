import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { useOrder } from '../../jobs/useOrder.ts'
import { qualityTexts as texts } from '../../texts/forecast-quality.ts'
import { DateField } from '../../ui/DateField.tsx'
import { instantOf, localText } from '../../ui/moments.ts'
import { Section } from '../../ui/Section.tsx'
import { OrderState } from './Order.tsx'
import classes from './QualityScreen.module.css'

const HOUR_MS = 3_600_000
const HOURS = [1, 3, 6, 24] as const

/** Orders the forecasts of a past period again, as a job: followed, cancelled, then scored and shown. */
export function Remake({ onShow }: { onShow: (issued: string) => void }) {
  const { timeZone } = useSite()
  const [start, setStart] = useState<string | null>(() => localText(Date.now() - 6 * HOUR_MS, timeZone))
  const [hours, setHours] = useState('1')
  const [members, setMembers] = useState(false)
  const startMs = instantOf(start, timeZone)
  const client = useQueryClient()
  const order = useOrder('/api/job/nowcast')
  const { done } = order
  useEffect(() => {
    if (done) void client.invalidateQueries({ queryKey: ['nowcast-scores'] })
  }, [done, client])
  return (
    <Section title={texts.remake}>
      <p className={classes.note}>{texts.remakeHelp}</p>
      <form
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault()
          if (startMs === null) return
          const end = new Date(startMs + Number(hours) * HOUR_MS).toISOString()
          order.place({ start: new Date(startMs).toISOString(), end, members })
        }}
      >
        <DateField withTime label={texts.from} value={start} onChange={setStart} />
        <NativeSelect
          label={texts.length}
          value={hours}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
          data={HOURS.map((value) => ({ value: String(value), label: texts.hours(value) }))}
        />
        <Checkbox
          className={classes.check}
          label={texts.members}
          checked={members}
          onChange={({ currentTarget }) => setMembers(currentTarget.checked)}
        />
        <Button type="submit" disabled={startMs === null || order.running} loading={order.order.isPending}>
          {texts.remakeButton}
        </Button>
      </form>
      <OrderState order={order} onShow={onShow} />
    </Section>
  )
}
