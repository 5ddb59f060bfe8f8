import { Button } from '@mantine/core'
import type { ComparableSimulation } from '@radx/contracts/simulation'
import { DEFAULT_USER } from '@radx/contracts/simulation-constants'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { useSite } from '../../../../app/site.ts'
import { referenceTexts as texts } from '../../../../texts/sewer.ts'
import { listTexts, simulationTexts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { Waiting } from '../../../../ui/Waiting.tsx'
import type { SimulationJob } from '../../api.ts'
import { ResultSection } from '../ResultSection.tsx'
import { useResult } from '../state.ts'
import { similarQuery } from './api.ts'
import classes from './ReferencePicker.module.css'

/** The run that this one is compared with. */
export function ReferencePicker({ job }: { job: SimulationJob }) {
  const [open, setOpen] = useState(false)
  const { reference, choose } = useResult()
  // The list also tells whether a chosen reference is still there.
  const similar = useQuery({ ...similarQuery(job.id), enabled: open || reference.id !== '' })
  const chosen = similar.data?.find(({ _id }) => _id === reference.id)
  const gone = reference.id !== '' && similar.data !== undefined && chosen === undefined
  const name = gone || reference.id === '' ? texts.noneChosen : (chosen?.input.title ?? reference.title)
  return (
    <ResultSection
      title={`${texts.title}\u00a0: ${name}`}
      open={open}
      onToggle={setOpen}
      notice={
        gone && (
          <Message
            kind="warning"
            action={
              <Button size="compact-sm" variant="default" onClick={() => choose(null)}>
                {texts.remove}
              </Button>
            }
          >
            {texts.gone(reference.title)}
          </Message>
        )
      }
    >
      {similar.isPending ? (
        <Waiting size="sm" label={simulationTexts.loading} />
      ) : similar.isError ? (
        <Message
          kind="error"
          action={
            <Button size="compact-sm" variant="default" onClick={() => void similar.refetch()}>
              {simulationTexts.retry}
            </Button>
          }
        >
          {genericErrorText(similar.error)}
        </Message>
      ) : similar.data.length === 0 ? (
        <p className={classes.empty}>{texts.none}</p>
      ) : (
        <>
          <p className={classes.help}>{texts.help}</p>
          <fieldset className={classes.cards}>
            <legend className="rx-visually-hidden">{texts.list}</legend>
            {similar.data.map((run) => (
              <Card
                key={run._id}
                run={run}
                own={job}
                checked={run._id === reference.id}
                onChoose={() => choose({ id: run._id, title: run.input.title })}
              />
            ))}
          </fieldset>
          {chosen && (
            <Button variant="default" onClick={() => choose(null)}>
              {texts.remove}
            </Button>
          )}
        </>
      )}
    </ResultSection>
  )
}

interface CardProps {
  run: ComparableSimulation
  own: SimulationJob
  checked: boolean
  onChoose: () => void
}

/** What tells a comparable run apart: whose it is, when, its modules and land use. */
function Card({ run: { input, username, date }, own, checked, onChoose }: CardProps) {
  const { timeZone } = useSite()
  return (
    <label className={classes.card}>
      <input type="radio" name="reference" checked={checked} onChange={onChoose} />
      <span>
        <strong>{input.title}</strong>
        <small>
          {username === DEFAULT_USER && (
            <IconPaperclip size={14} stroke={1.75} role="img" aria-label={listTexts.referenceUser} />
          )}
          {username} · {formatDateTimeFr(date, timeZone)}
        </small>
        <small>{texts.modules(input.soilModule === 'true', input.drainageModule === 'true')}</small>
        <small>{input.luseId === own.input.luseId ? texts.sameLand : texts.otherLand}</small>
      </span>
    </label>
  )
}
