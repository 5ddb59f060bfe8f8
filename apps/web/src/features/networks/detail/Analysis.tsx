import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { SewerChartData } from '@radx/charts/sewer-chart'
import type { NetworkDetail, NetworkModel, NetworkRun } from '@radx/contracts/networks'
import { NETWORK_CURVES_MAX } from '@radx/contracts/networks-constants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useAddressParams } from '../../../app/address-params.ts'
import { serverErrorText } from '../../../app/api/errors.ts'
import shared from '../../../sewer/Analysis.module.css'
import { ClockBar } from '../../../sewer/ClockBar.tsx'
import { Curves } from '../../../sewer/Curves.tsx'
import { startClock } from '../../../sewer/clock.ts'
import { NetworkMap } from '../../../sewer/NetworkMap.tsx'
import { LinkTable, NodeTable } from '../../../sewer/NetworkTable.tsx'
import { ProfileView } from '../../../sewer/ProfileView.tsx'
import { SelectionPanel } from '../../../sewer/SelectionPanel.tsx'
import {
  ANALYSES,
  changeAnalysis,
  type Analysis as Kind,
  limitOf,
  readSelection,
  reset,
  type SewerSelection,
  select,
  writeSelection,
} from '../../../sewer/selection.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { sewerTexts } from '../../../texts/sewer.ts'
import { Message } from '../../../ui/Message.tsx'
import { curvesQuery, peaksQuery, profileQuery } from '../api.ts'
import { sewerOf } from '../place.ts'

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

  const [params, setParams] = useAddressParams()
  // The address also moves with other parts; the selection then stays the same.
  const written = JSON.stringify(readSelection(params))
  const asked = useMemo((): SewerSelection => JSON.parse(written), [written])
  const { analysis } = asked
  const change = (make: (before: SewerSelection) => SewerSelection) =>
    setParams((before) => writeSelection(before, make(readSelection(before))))
  const { names, unknown } = useMemo(() => {
    const known = analysis === 'link' ? network.link : network.node
    return {
      names: asked.names.filter((name) => known.has(name)).slice(0, limitOf(analysis, false)),
      unknown: asked.names.filter((name) => !known.has(name)),
    }
  }, [asked, analysis, network])
  const pick = (name: string) => change(() => select({ analysis, names }, name))
  const ends = analysis === 'path' && names.length === 2 ? names : NOTHING
  const profile = useQuery(profileQuery(id, version, ends, run?.id ?? null))
  const path = useMemo(
    () => (ends.length === 2 ? (profile.data?.nodes.map(({ Name }) => Name) ?? NOTHING) : NOTHING),
    [ends, profile.data],
  )
  const rows = useMemo(
    () => (path.length === 0 ? network.nodes : path.flatMap((name) => network.node.get(name) ?? [])),
    [network, path],
  )
  return (
    <div className={shared.root}>
      {peaks.isError && <Message kind="error">{serverErrorText(peaks.error)}</Message>}
      <SegmentedControl
        className={shared.types}
        aria-label={sewerTexts.analysis}
        value={analysis}
        onChange={(value) => change((before) => changeAnalysis(before, value as Kind))}
        data={ANALYSES.map((value) => ({ value, label: sewerTexts.types[value] }))}
      />
      <SelectionPanel
        analysis={analysis}
        names={names}
        unknown={unknown}
        hasReference={false}
        onReset={() => change(() => (unknown.length > 0 ? { analysis, names } : reset({ analysis, names })))}
      />
      <div className={shared.network}>
        <section aria-label={sewerTexts.map}>
          <NetworkMap
            network={network}
            analysis={analysis}
            names={names}
            path={path}
            onPick={pick}
            plane={model.placed !== 'degrees'}
          />
        </section>
        {analysis === 'link' ? (
          <LinkTable
            key={analysis}
            caption={sewerTexts.tables.links}
            rows={network.links}
            chosen={names}
            onPick={pick}
          />
        ) : (
          <NodeTable
            key={`${analysis} ${path.length > 0}`}
            caption={path.length > 0 ? sewerTexts.tables.path : sewerTexts.tables.nodes}
            rows={rows}
            chosen={names}
            onPick={pick}
          />
        )}
      </div>
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

const UNITS: Record<string, { unit: string; decimals: number }> = {
  depth: { unit: 'm', decimals: 3 },
  head: { unit: 'm', decimals: 2 },
  volume: { unit: 'm³', decimals: 2 },
  inflow: { unit: 'm³/s', decimals: 4 },
  flooding: { unit: 'm³/s', decimals: 4 },
  flow: { unit: 'm³/s', decimals: 4 },
  velocity: { unit: 'm/s', decimals: 2 },
  capacity: { unit: '', decimals: 2 },
}

/** Curves of what is chosen. */
function Series({ jobId, of, names }: { jobId: string; of: 'node' | 'link'; names: readonly string[] }) {
  const choices = texts.results[of] as Record<string, string>
  const [what, setWhat] = useState(Object.keys(choices)[0])
  const drawn = useMemo(() => names.slice(0, NETWORK_CURVES_MAX), [names])
  const series = useQuery({ ...curvesQuery(jobId, of, what, drawn), placeholderData: keepPreviousData })
  const data = useMemo((): SewerChartData => {
    const color = new Map(drawn.map((name, k) => [name, k]))
    return {
      timesS: series.data?.timesS ?? [],
      curves: (series.data?.curves ?? []).map(({ name, values }) => ({
        name,
        values,
        color: color.get(name) ?? 0,
      })),
      ...UNITS[what],
    }
  }, [series.data, drawn, what])
  return (
    <>
      {names.length > NETWORK_CURVES_MAX && (
        <Message kind="nfo">{texts.results.tooMany(NETWORK_CURVES_MAX)}</Message>
      )}
      {series.isError && <Message kind="error">{serverErrorText(series.error)}</Message>}
      {series.data && (
        <Curves
          title={choices[what]}
          data={data}
          filename={`${what}.csv`}
          pending={series.isPlaceholderData}
          aside={
            <NativeSelect
              aria-label={texts.results.quantity}
              value={what}
              onChange={({ currentTarget }) => setWhat(currentTarget.value)}
              data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
            />
          }
        />
      )}
    </>
  )
}
