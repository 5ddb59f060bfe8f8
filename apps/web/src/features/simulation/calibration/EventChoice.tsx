import { NativeSelect } from '@mantine/core'
import type { Observation } from '@radx/contracts/calibration'
import type { SimulationListItem } from '@radx/contracts/simulation'
import { runStartMs } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { QueryState } from '../../../ui/QueryState.tsx'
import { simulationsQuery } from '../api.ts'
import { rainDurationText, rainSourceText } from '../list/listing.ts'
import classes from './Calibration.module.css'
import type { EventUse, FitDraft } from './fit-draft.ts'

interface Props {
  catchmentId: string
  /** Series that count. */
  series: readonly Observation[]
  events: FitDraft['events']
  onChange: (events: FitDraft['events']) => void
}

/** Finished runs of the catchment, each with what it is for. */
export function EventChoice({ catchmentId, series, events, onChange }: Props) {
  const list = useQuery(simulationsQuery)
  const runs = (list.data ?? [])
    .filter((run) => run.input.catchmentId === catchmentId && mayServe(run))
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date))
  const choose = (id: string, use: string) => {
    const { [id]: _, ...others } = events
    onChange(use === '' ? others : { ...others, [id]: use as EventUse })
  }
  return (
    <fieldset className={classes.group}>
      <legend>{texts.events}</legend>
      <p className={classes.note}>{texts.eventsHelp}</p>
      <QueryState query={list} there={list.data !== undefined} />
      {list.data && runs.length === 0 && (
        <p className={classes.note}>
          {texts.noEvents}{' '}
          <Link to={`/multihydro/form?bassin=${encodeURIComponent(catchmentId)}`}>{texts.runOne}</Link>
        </p>
      )}
      <ul className={classes.events}>
        {runs.map(({ _id, input }) => (
          <li key={_id}>
            <span>
              {input.title}
              <small>
                {rainSourceText(input)}, {rainDurationText(input)}
                {series.length > 0 && !isMeasured(input, series) && ` ; ${texts.unmeasured}`}
              </small>
            </span>
            <NativeSelect
              size="xs"
              aria-label={texts.purposeOf(input.title)}
              value={events[_id] ?? ''}
              data={[
                { value: '', label: texts.uses.none },
                { value: 'calibration', label: texts.uses.calibration },
                { value: 'validation', label: texts.uses.validation },
              ]}
              onChange={({ currentTarget }) => choose(_id, currentTarget.value)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** A fit begins dry, and on the catchment of now. */
const mayServe = ({ status, rainWithheld, outdated, input }: SimulationListItem): boolean =>
  status === 'done' && rainWithheld === null && !outdated && !input.live

function isMeasured(input: SimulationListItem['input'], series: readonly Observation[]): boolean {
  const startMs = runStartMs(input)
  const endMs = startMs + input.simulationDuration * 3_600_000
  return series.some(({ first, last }) => Date.parse(last) >= startMs && Date.parse(first) <= endMs)
}
