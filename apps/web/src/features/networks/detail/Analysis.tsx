import type { NetworkDetail, NetworkModel, NetworkRun } from '@radx/contracts/networks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { ClockBar } from '../../../player/run/ClockBar.tsx'
import { startClock } from '../../../player/run/clock.ts'
import shared from '../../../sewer/Analysis.module.css'
import { NetworkView } from '../../../sewer/NetworkView.tsx'
import { ProfileView } from '../../../sewer/ProfileView.tsx'
import { useChoice } from '../../../sewer/useChoice.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { Message } from '../../../ui/Message.tsx'
import { peaksQuery, profileQuery } from '../api.ts'
import { sewerOf } from '../place.ts'
import Series from './Series.tsx'
import { useAreas } from './useAreas.ts'

interface Props {
  network: NetworkDetail
  version: number
  model: NetworkModel
  /** A finished run whose results are shown; null shows the file alone. */
  run: NetworkRun | null
}

const NOTHING: readonly never[] = []

/** The network on the map, in tables, profiles and curves. */
export default function Analysis({ network: { id }, version, model, run }: Props) {
  const peaks = useQuery({ ...peaksQuery(run?.id ?? ''), enabled: run !== null })
  const figures = run === null ? null : (peaks.data ?? null)
  const network = useMemo(() => sewerOf(model, figures), [model, figures])
  const endS = run?.result?.simulatedS ?? 0
  useEffect(() => startClock(endS, 0), [endS])

  const choice = useChoice(network, false)
  const { toggle } = useAreas()
  const { analysis, names } = choice
  const ends = analysis === 'path' && names.length === 2 ? names : NOTHING
  const profile = useQuery(profileQuery(id, version, ends, run?.id ?? null))
  const path = useMemo(
    () => (ends.length === 2 ? (profile.data?.nodes.map(({ Name }) => Name) ?? NOTHING) : NOTHING),
    [ends, profile.data],
  )
  return (
    <div className={shared.root}>
      {peaks.isError && <Message kind="error">{serverErrorText(peaks.error)}</Message>}
      <NetworkView
        network={network}
        choice={choice}
        path={path}
        plane={model.placed !== 'degrees'}
        onPickArea={run === null ? undefined : toggle}
      />
      {ends.length === 2 && profile.isError && (
        <Message kind="error">{serverErrorText(profile.error)}</Message>
      )}
      {ends.length === 2 && profile.isPending && <p role="status">{sewerTexts.path.searching}</p>}
      {ends.length === 2 && profile.data && profile.data.nodes.length > 1 && (
        <ProfileView
          key={ends.join('\n')}
          water={profile.data}
          clock={run === null ? null : <ClockBar startMs={Date.parse(model.startAt)} timeZone="UTC" />}
        />
      )}
      {analysis !== 'path' &&
        names.length > 0 &&
        (run === null ? (
          <Message kind="hint">{texts.results.noRun}</Message>
        ) : (
          <Series key={analysis} jobId={run.id} of={analysis === 'link' ? 'link' : 'node'} names={names} />
        ))}
    </div>
  )
}
