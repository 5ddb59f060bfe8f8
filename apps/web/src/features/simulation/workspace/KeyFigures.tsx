import { formatDuration } from '@radx/locale/duration'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { SimulationJob } from '../api.ts'
import { writeAddress } from '../result/address.ts'
import { type WorkspaceAddress, withPick, writeWorkspace } from './address.ts'
import { figuresQuery } from './api.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

interface Figure {
  name: string
  value: ReactNode
  note?: string
  /** What the figure shows when it is followed. */
  to: (Partial<WorkspaceAddress> & { timeS?: number }) | { page: string }
}

/** The answer first: figures of a run, each a link to its place. */
export function KeyFigures({ job }: { job: SimulationJob }) {
  const figures = useQuery(figuresQuery(job.id))
  const { picks } = useWorkspace()
  const { search } = useLocation()
  if (figures.error) return <p className={classes.failed}>{genericErrorText(figures.error)}</p>
  const found = figures.data
  const href = (to: Figure['to']): string => {
    if ('page' in to) return to.page
    const { timeS, ...change } = to
    const params = writeWorkspace(new URLSearchParams(search), change)
    return `?${timeS === undefined ? params : writeAddress(params, { timeS })}`
  }
  const shown: (Figure | null)[] = found
    ? figuresOf(found, picks, job)
    : texts.figureNames.map((name) => ({ name, value: '–', to: {} }))
  return (
    <ul className={classes.figures} aria-label={texts.figures} aria-busy={!found}>
      {shown.map(
        (figure) =>
          figure && (
            <li key={figure.name}>
              <Link to={href(figure.to)} replace={!('page' in figure.to)} preventScrollReset>
                <span>{figure.name}</span>
                <strong>{figure.value}</strong>
                {figure.note && <small>{figure.note}</small>}
              </Link>
            </li>
          ),
      )}
    </ul>
  )
}

const ha = (areaM2: number): string => formatQuantityFr(areaM2 / 10_000, 'ha', 1)

function figuresOf(
  found: import('@radx/contracts/figures').RunFigures,
  picks: WorkspaceAddress['picks'],
  job: SimulationJob,
): (Figure | null)[] {
  const { deepest, flooded, sewer, outfallPeak, rainPeak } = found
  const drained = job.input.drainageModule === 'true' && sewer !== null && sewer.links > 0 ? sewer : null
  const node = (name: string | null) =>
    name === null ? {} : { picks: withPick(picks, { kind: 'node', name }), view: null }
  return [
    {
      name: texts.deepest,
      value: deepest ? formatQuantityFr(100 * deepest.depthM, 'cm', 0) : texts.none,
      note: deepest ? texts.seePlace : undefined,
      to: {
        layer: 'maximum',
        ...(deepest && { picks: withPick(picks, { kind: 'cell', ...rowCol(deepest) }), view: null }),
      },
    },
    {
      name: texts.floodedArea,
      value: flooded.map(({ areaM2 }) => ha(areaM2)).join(' · '),
      note: flooded.map(({ fromM }) => texts.fromCm(Math.round(100 * fromM))).join(' · '),
      to: { layer: 'maximum', view: null },
    },
    drained && {
      name: texts.overflowing,
      value: formatNumberFr(drained.overflowing, 0),
      note: drained.overflowing > 0 ? formatQuantityFr(drained.overflowM3, 'm³', 0) : texts.none,
      to: { network: true, ...node(drained.worstNode) },
    },
    drained && {
      name: texts.surcharged,
      value: texts.of(formatNumberFr(drained.surcharged, 0), formatNumberFr(drained.links, 0)),
      to: {
        network: true,
        ...(drained.worstLink !== null && {
          picks: withPick(picks, { kind: 'link', name: drained.worstLink }),
          view: null,
        }),
      },
    },
    drained && {
      name: texts.outfall,
      value: outfallPeak ? formatQuantityFr(outfallPeak.flowM3S, 'm³/s', 2) : texts.none,
      note: outfallPeak
        ? texts.outfallNote(
            formatDuration(1000 * outfallPeak.meanS),
            formatElapsed(outfallPeak.timeS),
            formatQuantityFr(drained.outfallM3, 'm³', 0),
          )
        : undefined,
      to: { network: true, ...node(drained.largestOutfall), timeS: outfallPeak?.timeS },
    },
    {
      name: texts.rain,
      value: formatQuantityFr(found.rainMm, 'mm', 1),
      note: [
        formatDuration(1000 * found.durationS),
        rainPeak &&
          texts.rainPeak(
            formatQuantityFr(rainPeak.rateMmH, 'mm/h', 1),
            formatDuration(1000 * rainPeak.meanS),
            formatElapsed(rainPeak.timeS),
          ),
        job.input.virtualSource,
      ]
        .filter(Boolean)
        .join(' · '),
      to: { layer: 'instant', timeS: rainPeak?.timeS },
    },
    {
      name: texts.balance,
      value: relative(found.relativeError),
      note: texts.balanceNote,
      to: { page: `/multihydro/${job.id}#balance` },
    },
  ]
}

const rowCol = ({ row, col }: { row: number; col: number }) => ({ row, col })

/** An error of a balance as a power of ten; below 1e-15 it is rounding. */
function relative(error: number): ReactNode {
  const size = Math.abs(error)
  if (size < 1e-15) return '0'
  const power = Math.ceil(Math.log10(size))
  return (
    <>
      {'< 10'}
      <sup>{String(power).replace('-', '−')}</sup>
    </>
  )
}
