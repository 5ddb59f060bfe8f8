import type { Gauge, GaugeAdjustment } from '@radx/contracts/gauges'
import { punctuated } from '@radx/locale/punctuation-fr'
import { useQuery } from '@tanstack/react-query'
import { callJson } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { liveAdjustedTexts as texts } from '../../../texts/live-adjusted.ts'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { LIVE_ADJUSTED, useLiveAdjusted } from '../state/adjusted.ts'
import { useLive } from '../state/store.ts'
import classes from './NowcastPanel.module.css'

/** Whether the map shows the rain as it came or adjusted to gauges; for who sees a gauge. */
export default function AdjustedPanel() {
  const { on } = useLiveAdjusted()
  const product = useLive((state) => state.product)
  const newest = useLive((state) => state.data?.images.at(-1)?.datetime ?? null)
  const gauges = useQuery({
    queryKey: ['gauges', 'visible'],
    queryFn: ({ signal }) => callJson<Gauge[]>('/api/gauges', { signal }),
  })
  const found = useQuery({
    queryKey: ['live-adjustment', product, newest],
    queryFn: ({ signal }) =>
      callJson<GaugeAdjustment>('/api/gauges/adjustment', {
        query: {
          p: product,
          s: newest!,
          e: new Date(Date.parse(newest!) + 1000).toISOString(),
          ...LIVE_ADJUSTED,
          errors: '0',
        },
        signal,
      }),
    enabled: on && newest !== null,
  })
  if (!gauges.data?.length) return null
  const factor = found.data?.frames.at(-1)?.factor
  return (
    <Section title={texts.title}>
      <p className={classes.note}>
        {on ? texts.shown.adjusted : texts.shown.original}{' '}
        <TextButton aria-pressed={on} onClick={() => useLiveAdjusted.setState({ on: !on })}>
          {on ? texts.showOriginal : texts.adjust}
        </TextButton>
      </p>
      {on && found.isPending && (
        <p className={classes.note} role="status">
          {texts.adjusting}
        </p>
      )}
      {on && found.error && <Message kind="error">{genericErrorText(found.error)}</Message>}
      {on && found.data && factor !== undefined && (
        <p className={classes.note}>{texts.factor(factor, found.data.gauges)}</p>
      )}
      {on &&
        found.data?.notesFr.map((note) => (
          <p key={note} className={classes.note}>
            {punctuated(note)}
          </p>
        ))}
    </Section>
  )
}
