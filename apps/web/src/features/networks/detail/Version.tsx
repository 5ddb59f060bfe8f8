import { Button, Skeleton } from '@mantine/core'
import type { NetworkDetail, NetworkModel, NetworkRun, NetworkVersion } from '@radx/contracts/networks'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { punctuated } from '@radx/locale/punctuation-fr'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useAddressParams } from '../../../app/address-params.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import { part } from '../../../app/part.tsx'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { modelQuery, runsQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { Placing } from './Placing.tsx'
import { RunForm } from './RunForm.tsx'
import { RunList } from './RunList.tsx'
import { RunResult } from './RunResult.tsx'

// The map comes once the rest stands.
const Analysis = part(() => import('./Analysis.tsx'))

/** Warnings that are shown at once. */
const FIRST = 5

interface Props {
  network: NetworkDetail
  version: NetworkVersion
}

/** A version: what its file says, its runs, and the network on the map with what the shown run did. */
export function Version({ network, version: { version } }: Props) {
  const model = useQuery({
    ...modelQuery(network.id, version, network.crs),
    placeholderData: keepPreviousData,
  })
  const runs = useQuery(runsQuery(network.id))
  const [params, setParams] = useAddressParams()
  const own = runs.data?.filter((run) => run.version === version) ?? []
  const shown = shownRun(own, params.get('calcul'))
  const show = (jobId: string) =>
    setParams((after) => {
      after.set('calcul', jobId)
      return after
    })
  if (model.isError)
    return (
      <Message
        kind="error"
        action={
          <Button size="compact-sm" variant="default" onClick={() => void model.refetch()}>
            {texts.retry}
          </Button>
        }
      >
        {serverErrorText(model.error)}
      </Message>
    )
  if (!model.data)
    return (
      <div aria-busy="true">
        <p role="status">{texts.reading}</p>
        <Skeleton height={480} radius={12} />
      </div>
    )
  return (
    <>
      <Facts network={network} model={model.data} />
      <h2 className="rx-visually-hidden">{texts.look}</h2>
      <Suspense fallback={<Skeleton height={540} radius={12} />}>
        <Analysis
          key={shown?.id ?? ''}
          network={network}
          version={version}
          model={model.data}
          run={shown?.status === 'done' && shown.result ? shown : null}
        />
      </Suspense>
      {shown && <RunResult key={shown.id} run={shown} others={own} model={model.data} />}
      <div className={classes.columns}>
        <RunForm network={network} version={version} model={model.data} onStarted={show} />
        <RunList
          networkId={network.id}
          runs={own}
          pending={runs.isPending}
          shown={shown?.id ?? null}
          onShow={show}
        />
      </div>
    </>
  )
}

/** The run of the address, else the last one that is over well. */
const shownRun = (runs: readonly NetworkRun[], asked: string | null): NetworkRun | null =>
  runs.find(({ id }) => id === asked) ?? runs.find(({ status }) => status === 'done') ?? null

function Facts({ network, model }: { network: NetworkDetail; model: NetworkModel }) {
  const { warnings, title, startAt, durationS, units, placed, guessed, cutOff } = model
  const [all, setAll] = useState(false)
  const hours = formatQuantityFr(durationS / 3600, 'h', durationS % 3600 === 0 ? 0 : 1)
  return (
    <section aria-label={texts.facts} className={classes.panel}>
      {title.length > 0 && <p>{title.slice(0, 3).join(' · ')}</p>}
      <p className={classes.facts}>
        <span>{texts.period(formatDateTimeFr(startAt, 'UTC'), hours)}</span>
        <span>{texts.units(units.flow, units.length)}</span>
      </p>
      {placed === 'layout' && <Message kind="nfo">{texts.layout}</Message>}
      {(placed === 'file' || network.crs !== null) && <Placing key={network.crs} network={network} />}
      {guessed.length > 0 && <Message kind="warning">{texts.guessed(guessed.length)}</Message>}
      {cutOff.length > 0 && (
        <Message kind="warning">
          {texts.cutOff(`${cutOff.slice(0, 10).join(', ')}${cutOff.length > 10 ? '…' : ''}`)}
        </Message>
      )}
      {warnings.length === 0 ? <p>{texts.warnings(0)}</p> : <h2>{texts.warnings(warnings.length)}</h2>}
      {warnings.length > 0 && (
        <ul className={classes.warnings} data-testid="network-warnings">
          {warnings.slice(0, all ? undefined : FIRST).map(({ line, text }, k) => (
            <li key={k}>
              {line !== null && <b>{texts.line(line)} </b>}
              {punctuated(text)}
            </li>
          ))}
        </ul>
      )}
      {!all && warnings.length > FIRST && (
        <TextButton onClick={() => setAll(true)}>{texts.allWarnings(warnings.length)}</TextButton>
      )}
    </section>
  )
}
