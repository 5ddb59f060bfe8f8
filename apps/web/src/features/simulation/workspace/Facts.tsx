import { formatDuration } from '@radx/locale/duration'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { useQueries, useQuery } from '@tanstack/react-query'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useClock } from '../../../player/run/clock.ts'
import { depthTexts } from '../../../texts/flood.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import type { SimulationJob } from '../api.ts'
import { momentAt } from '../result/timeline/moments.ts'
import type { GridLine, Pick } from './address.ts'
import { cellQuery, runMapQuery, sectionQuery } from './api.ts'
import type { Sewer } from './SewerOverlay.tsx'
import classes from './Workspace.module.css'

/** How a pick is called. */
export const nameOf = (pick: Pick): string => {
  if (pick.kind === 'cell') return texts.cell(pick.row + 1, pick.col + 1)
  if (pick.kind !== 'section') return texts[pick.kind](pick.name)
  return texts.section(
    `${Math.floor(pick.y1) + 1}, ${Math.floor(pick.x1) + 1}`,
    `${Math.floor(pick.y2) + 1}, ${Math.floor(pick.x2) + 1}`,
  )
}

type Row = [string, string]

function Facts({ rows }: { rows: readonly (Row | null)[] }) {
  return (
    <dl className={classes.facts}>
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const cm = (depthM: number): string => formatQuantityFr(100 * depthM, 'cm', 1)

/** What a cell is, what stands there now, and the most that did. */
export function CellFacts({
  job,
  town,
  row,
  col,
}: {
  job: SimulationJob
  town?: TownGrid
  row: number
  col: number
}) {
  const series = useQuery(cellQuery(job.id, row, col))
  const [depth, speed, arrival] = useQueries({
    queries: [runMapQuery(job.id, 'hauteur'), runMapQuery(job.id, 'vitesse'), runMapQuery(job.id, 'arrivee')],
  })
  const timeS = useClock((clock) => clock.timeS)
  if (series.error) return <p role="alert">{genericErrorText(series.error)}</p>
  if (!series.data || !town) return <p role="status">{depthTexts.loading}</p>
  const { timesS, depthsM, groundM, speedsMS } = series.data
  const cell = row * town.place.ncols + col
  const { before, after, share } = momentAt(timesS, timeS)
  const now = depthsM[before] + share * (depthsM[after] - depthsM[before])
  const land = town.classes[town.land[cell]]
  const most = depth.data?.[cell]
  const fastest = speed.data?.[cell]
  const arrived = arrival.data?.[cell]
  return (
    <Facts
      rows={[
        land ? [texts.landUse, land.title] : null,
        [texts.ground, formatQuantityFr(groundM, 'm', 2)],
        [texts.depthNow, cm(now)],
        [texts.levelNow, formatQuantityFr(groundM + now, 'm', 2)],
        speedsMS
          ? [
              texts.speedNow,
              formatQuantityFr(speedsMS[before] + share * (speedsMS[after] - speedsMS[before]), 'm/s', 2),
            ]
          : null,
        most === undefined ? null : [texts.depthMost, cm(most)],
        fastest === undefined ? null : [texts.speedMost, formatQuantityFr(fastest, 'm/s', 2)],
        arrived === undefined || Number.isNaN(arrived)
          ? null
          : [texts.arrival, formatDuration(1000 * arrived)],
      ]}
    />
  )
}

/** Flow through a drawn line: the largest, and what went through in all. */
export function SectionFacts({ job, line }: { job: SimulationJob; line: GridLine }) {
  const { data, error } = useQuery(sectionQuery(job.id, line))
  if (error) return <p role="alert">{genericErrorText(error)}</p>
  if (!data) return <p role="status">{depthTexts.loading}</p>
  const { flowM3S, timesS, lengthM } = data
  if (flowM3S === null) return <p>{texts.noSpeeds}</p>
  const peak = flowM3S.reduce((best, flow, k) => (Math.abs(flow) > Math.abs(flowM3S[best]) ? k : best), 0)
  const volumeM3 = flowM3S.reduce(
    (sum, flow, k) => sum + (k === 0 ? 0 : ((flow + flowM3S[k - 1]) / 2) * (timesS[k] - timesS[k - 1])),
    0,
  )
  return (
    <>
      <Facts
        rows={[
          [texts.lineLength, formatQuantityFr(lengthM, 'm', 0)],
          [texts.lineFlow, formatQuantityFr(flowM3S[peak], 'm³/s', 3)],
          [texts.linkTime, formatDuration(1000 * timesS[peak])],
          [texts.lineVolume, formatQuantityFr(volumeM3, 'm³', 0)],
        ]}
      />
      <p>{texts.lineSign}</p>
    </>
  )
}

/** What came of a node or a link. */
export function SewerFacts({ sewer, kind, name }: { sewer: Sewer; kind: 'node' | 'link'; name: string }) {
  const { network, peaks, diameters, error } = sewer
  if (error) return <p role="alert">{genericErrorText(error)}</p>
  if (!network || !peaks) return <p role="status">{depthTexts.loading}</p>
  if (kind === 'node') {
    const k = peaks.nodes.name.indexOf(name)
    if (k < 0) return <p>{texts.unknown}</p>
    const { depthM, headM, timeS, inflowM3S, floodedM3, outfallM3 } = peaks.nodes
    const outfall = network.node.get(name)?.kind === 'outfall'
    return (
      <Facts
        rows={[
          [texts.nodeDepth, formatQuantityFr(depthM[k], 'm', 2)],
          [texts.nodeHead, formatQuantityFr(headM[k], 'm', 2)],
          [texts.nodeTime, formatDuration(1000 * timeS[k])],
          [texts.nodeInflow, formatQuantityFr(inflowM3S[k], 'm³/s', 3)],
          outfall
            ? [texts.outfallVolume, formatQuantityFr(outfallM3[k], 'm³', 1)]
            : [texts.overflowVolume, formatQuantityFr(floodedM3[k], 'm³', 1)],
        ]}
      />
    )
  }
  const k = peaks.links.name.indexOf(name)
  if (k < 0) return <p>{texts.unknown}</p>
  const { flowM3S, timeS, speedMS, filling, volumeM3, surchargedS } = peaks.links
  const link = network.link.get(name)
  const diameterM = diameters.get(name)
  return (
    <Facts
      rows={[
        link ? [texts.ends, `${link.from} – ${link.to}`] : null,
        diameterM ? [texts.diameter, formatQuantityFr(1000 * diameterM, 'mm', 0)] : null,
        [texts.linkFlow, formatQuantityFr(flowM3S[k], 'm³/s', 3)],
        [texts.linkTime, formatDuration(1000 * timeS[k])],
        [texts.linkSpeed, formatQuantityFr(speedMS[k], 'm/s', 2)],
        [texts.filling, formatQuantityFr(100 * filling[k], '%', 0)],
        [texts.surchargedFor, formatDuration(1000 * surchargedS[k])],
        [texts.linkVolume, formatQuantityFr(volumeM3[k], 'm³', 0)],
      ]}
    />
  )
}
