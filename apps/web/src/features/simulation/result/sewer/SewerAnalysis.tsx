import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAddressParams } from '../../../../app/address-params.ts'
import { genericErrorText } from '../../../../app/api/errors.ts'
import classes from '../../../../sewer/Analysis.module.css'
import { NetworkMap } from '../../../../sewer/NetworkMap.tsx'
import { LinkTable, NodeTable } from '../../../../sewer/NetworkTable.tsx'
import { networkOf, type SewerNetwork } from '../../../../sewer/network.ts'
import { SelectionPanel } from '../../../../sewer/SelectionPanel.tsx'
import {
  ANALYSES,
  type Analysis,
  changeAnalysis,
  limitOf,
  readSelection,
  reset,
  type SewerSelection,
  select,
  writeSelection,
} from '../../../../sewer/selection.ts'
import { resultTexts, sewerTexts as texts } from '../../../../texts/sewer.ts'
import { simulationTexts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { nodesQuery, type SimulationJob, townOfRun } from '../../api.ts'
import { useReference } from '../reference/useReference.ts'
import { pathQuery, peaksQuery } from './api.ts'
import { LinkView } from './LinkView.tsx'
import { PathView } from './PathView.tsx'
import { PointView } from './PointView.tsx'

const NOTHING: readonly never[] = []

/** Paths, junctions and links of a run's network; a file that is missing leaves the rest in place. */
export default function SewerAnalysis({ job }: { job: SimulationJob }) {
  const nodes = useQuery(nodesQuery(job.input.catchmentId, job.id))
  const height = useQuery(peaksQuery(job.id, OUTPUT_HEIGHT))
  const flow = useQuery(peaksQuery(job.id, OUTPUT_FLOW))
  const network = useMemo(
    () =>
      nodes.data &&
      networkOf(
        nodes.data,
        height.data?.junctions ?? NOTHING,
        flow.data?.links ?? NOTHING,
        height.data?.overflowing,
      ),
    [nodes.data, height.data, flow.data],
  )
  // One file is enough to begin with; the map would only jump while the other comes.
  const waiting = nodes.isPending || height.isPending || flow.isPending
  return (
    <div className={classes.root}>
      {job.input.drainageModule !== 'true' && <Message kind="nfo">{texts.noDrainage}</Message>}
      {[nodes, height, flow].map((query, k) => query.isError && <Failed key={k} query={query} />)}
      {waiting ? (
        <div aria-busy="true">
          <p role="status">{resultTexts.loading}</p>
          <Skeleton height={480} radius={12} />
        </div>
      ) : network === undefined ? null : network.nodes.length === 0 ? (
        <Message kind="nfo">{texts.noNetwork}</Message>
      ) : (
        <Analyses job={job} network={network} />
      )}
    </div>
  )
}

function Failed({ query }: { query: UseQueryResult<unknown> }) {
  return (
    <Message
      kind="error"
      action={
        <Button size="compact-sm" variant="default" onClick={() => void query.refetch()}>
          {simulationTexts.retry}
        </Button>
      }
    >
      {genericErrorText(query.error)}
    </Message>
  )
}

interface AnalysesProps {
  job: SimulationJob
  network: SewerNetwork
}

function Analyses({ job, network }: AnalysesProps) {
  const reference = useReference(job.id)
  const hasReference = reference.id !== ''
  const [params, setParams] = useAddressParams()
  // The address also moves with the clock; the selection then stays the same.
  const written = JSON.stringify(readSelection(params))
  const asked = useMemo((): SewerSelection => JSON.parse(written), [written])
  const { analysis } = asked
  const change = (make: (before: SewerSelection) => SewerSelection) =>
    setParams((before) => writeSelection(before, make(readSelection(before))))
  const { names, unknown } = useMemo(() => {
    const known = analysis === 'link' ? network.link : network.node
    return {
      names: asked.names.filter((name) => known.has(name)).slice(0, limitOf(analysis, hasReference)),
      unknown: asked.names.filter((name) => !known.has(name)),
    }
  }, [asked, analysis, network, hasReference])
  const pick = (name: string) => change(() => select({ analysis, names }, name, hasReference))
  const closed = analysis === 'path' && names.length === 2
  const found = useQuery({
    ...pathQuery({
      jobId: job.id,
      catchmentId: job.input.catchmentId,
      start: names[0] ?? '',
      end: names[1] ?? '',
    }),
    enabled: closed,
  })
  const path = closed ? (found.data ?? NOTHING) : NOTHING
  const rows = useMemo(
    () => (path.length === 0 ? network.nodes : path.flatMap((name) => network.node.get(name) ?? [])),
    [network, path],
  )
  return (
    <>
      <SegmentedControl
        className={classes.types}
        aria-label={texts.analysis}
        value={analysis}
        onChange={(value) => change((before) => changeAnalysis(before, value as Analysis))}
        data={ANALYSES.map((value) => ({ value, label: texts.types[value] }))}
      />
      <SelectionPanel
        analysis={analysis}
        names={names}
        unknown={unknown}
        hasReference={hasReference}
        onReset={() => change(() => (unknown.length > 0 ? { analysis, names } : reset({ analysis, names })))}
      />
      <div className={classes.network}>
        <section aria-label={texts.map}>
          <NetworkMap
            town={townOfRun(job)}
            network={network}
            analysis={analysis}
            names={names}
            path={path}
            onPick={pick}
          />
        </section>
        {analysis === 'link' ? (
          <LinkTable
            key={analysis}
            caption={texts.tables.links}
            rows={network.links}
            chosen={names}
            onPick={pick}
          />
        ) : (
          <NodeTable
            key={`${analysis} ${path.length > 0}`}
            caption={path.length > 0 ? texts.tables.path : texts.tables.nodes}
            rows={rows}
            chosen={names}
            onPick={pick}
          />
        )}
      </div>
      {closed && found.isError && <Message kind="error">{genericErrorText(found.error)}</Message>}
      {closed && found.isPending && <p role="status">{texts.path.searching}</p>}
      {path.length > 1 && <PathView key={path.join('\n')} job={job} path={path} />}
      {analysis === 'point' && <PointView jobId={job.id} network={network} names={names} />}
      {analysis === 'link' && (
        <LinkView jobId={job.id} network={network} names={names} reference={reference} />
      )}
    </>
  )
}
