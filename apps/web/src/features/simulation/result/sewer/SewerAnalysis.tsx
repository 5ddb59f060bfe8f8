import { Skeleton } from '@mantine/core'
import { OUTPUT_FLOW, OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import classes from '../../../../sewer/Analysis.module.css'
import { NetworkView } from '../../../../sewer/NetworkView.tsx'
import { networkOf, type SewerNetwork } from '../../../../sewer/network.ts'
import { useChoice } from '../../../../sewer/useChoice.ts'
import { resultTexts, sewerTexts as texts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import { QueryState } from '../../../../ui/QueryState.tsx'
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
      {[nodes, height, flow].map((query, k) => (
        <QueryState key={k} query={query} there />
      ))}
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

interface AnalysesProps {
  job: SimulationJob
  network: SewerNetwork
}

function Analyses({ job, network }: AnalysesProps) {
  const reference = useReference(job.id)
  const hasReference = reference.id !== ''
  const choice = useChoice(network, hasReference)
  const { analysis, names } = choice
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
  return (
    <>
      <NetworkView
        network={network}
        choice={choice}
        hasReference={hasReference}
        path={path}
        town={townOfRun(job)}
      />
      {closed && <QueryState query={found} there={path.length > 0} waits={texts.path.searching} />}
      {path.length > 1 && <PathView key={path.join('\n')} job={job} path={path} />}
      {analysis === 'point' && <PointView jobId={job.id} network={network} names={names} />}
      {analysis === 'link' && (
        <LinkView jobId={job.id} network={network} names={names} reference={reference} />
      )}
    </>
  )
}
