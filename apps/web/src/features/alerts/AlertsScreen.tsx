import type { AheadOverview } from '@radx/contracts/ahead'
import type { Gauge } from '@radx/contracts/gauges'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callJson } from '../../app/api/client.ts'
import { serverErrorText } from '../../app/api/errors.ts'
import { useAuth } from '../../app/auth/store.ts'
import { useSite } from '../../app/site.ts'
import { catchmentsQuery } from '../../selection/api.ts'
import { montanaTablesQuery } from '../../storms/api.ts'
import { alertTexts as texts } from '../../texts/alerts.ts'
import { alertsTitle } from '../../texts/alerts-title.ts'
import { Message } from '../../ui/Message.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './Alerts.module.css'
import { alertsQuery } from './api.ts'
import { Current } from './Current.tsx'
import { emptyDraft, placeKey } from './draft.ts'
import { Log } from './Log.tsx'
import type { Choices } from './MeasureFields.tsx'
import { Rules } from './Rules.tsx'
import { keptTrial } from './replay/kept.ts'
import { Person } from './told/Person.tsx'

/** One's rules, what they raised, and what became of it. */
export default function AlertsScreen() {
  const [query] = useSearchParams()
  const asked = {
    kind: query.get('r'),
    catchment: query.get('c'),
    name: query.get('n'),
    title: query.get('t'),
  }
  const account = useAuth(({ name }) => name)
  const [open, setOpen] = useState<string | null>(() =>
    asked.kind === null ? ((account === null ? null : keptTrial(account)?.rule) ?? null) : 'new',
  )
  const alerts = useQuery(alertsQuery)
  const { choices, isPending } = useChoices()
  const site = useSite()
  const empty = emptyDraft(
    {
      product: site.defaultProduct,
      place: site.defaultCatchment ?? choices.places[0]?.value ?? 'point',
      catchment: choices.catchments[0]?.value ?? '',
      gauge: choices.gauges[0]?.value ?? '',
      table: choices.tables[0]?.value ?? '',
    },
    asked,
  )
  return (
    <div className={classes.root}>
      <h1>{alertsTitle}</h1>
      <p className={classes.note}>{texts.intro}</p>
      {(alerts.isPending || isPending) && <p role="status">{texts.loading}</p>}
      {alerts.error && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void alerts.refetch()}>{texts.retry}</TextButton>}
        >
          {serverErrorText(alerts.error)}
        </Message>
      )}
      {alerts.data && !isPending && (
        <>
          <Current alerts={alerts.data.current} hasRules={alerts.data.rules.length > 0} />
          <Rules rules={alerts.data.rules} empty={empty} choices={choices} open={open} onOpen={setOpen} />
          <Person />
          <Log />
        </>
      )}
    </div>
  )
}

function useChoices(): { choices: Choices; isPending: boolean } {
  const site = useSite()
  const catchments = useQuery(catchmentsQuery)
  const tables = useQuery(montanaTablesQuery)
  const towns = useQuery({
    queryKey: ['ahead'],
    queryFn: ({ signal }) => callJson<AheadOverview>('/api/ahead', { signal }),
  })
  const gauges = useQuery({
    queryKey: ['gauges'],
    queryFn: ({ signal }) => callJson<Gauge[]>('/api/gauges', { signal }),
  })
  return {
    isPending: [catchments, tables, towns, gauges].some((query) => query.isPending),
    choices: {
      products: site.products
        .filter(({ made }) => !made)
        .map(({ shortName, longName }) => ({ value: shortName, label: longName })),
      places: (catchments.data?.features ?? []).map(({ properties: { key, name, parent } }) => ({
        value: parent === null || parent === undefined ? key : placeKey(parent, key),
        label: name,
      })),
      tables: (tables.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      catchments: (towns.data?.catchments ?? []).map(({ id, display }) => ({ value: id, label: display })),
      gauges: (gauges.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
  }
}
