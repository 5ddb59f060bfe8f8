import type { RunFigures } from '@radx/contracts/figures'
import { formatSpan } from '@radx/locale/duration'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { montanaTablesQuery } from '../../../storms/api.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { SimulationJob } from '../api.ts'
import { writeAddress } from '../result/address.ts'
import { followsClock, type WorkspaceAddress, withPick, writeWorkspace } from './address.ts'
import { figuresQuery, flowsQuery } from './api.ts'
import { rarityOf } from './rarity.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

interface Figure {
  name: string
  value: ReactNode
  note?: string
  /** The note may be cut: what stands first in it says most. */
  brief?: boolean
  /** What the figure shows when it is followed. */
  to: (Partial<WorkspaceAddress> & { timeS?: number }) | { page: string }
}

/** The answer first: figures of a run, each a link to its place. */
export function KeyFigures({ job }: { job: SimulationJob }) {
  const figures = useQuery(figuresQuery(job.id))
  const { picks, layer } = useWorkspace()
  const rarity = useRarity(job)
  const { search } = useLocation()
  if (figures.error) return <p className={classes.failed}>{genericErrorText(figures.error)}</p>
  const found = figures.data
  const stateOf = (params: URLSearchParams) => writeWorkspace(params, { view: null }).toString()
  const link = (to: Figure['to']): { to: string; replace?: boolean } => {
    if ('page' in to) return { to: to.page }
    const { timeS, ...change } = to
    const here = new URLSearchParams(search)
    const there = writeWorkspace(here, change)
    const params = timeS === undefined ? there : writeAddress(there, { timeS })
    // What is shown already is only gone to.
    return { to: `?${params}`, replace: stateOf(params) === stateOf(here) }
  }
  const shown: (Figure | null)[] = found
    ? figuresOf(found, { picks, layer }, job, rarity)
    : texts.figureNames.map((name) => ({ name, value: '–', to: {} }))
  return (
    <ul className={classes.figures} aria-label={texts.figures} aria-busy={!found}>
      {shown.map(
        (figure) =>
          figure && (
            <li key={figure.name} data-brief={figure.brief || undefined}>
              <Link {...link(figure.to)} preventScrollReset>
                <span>{figure.name}</span>
                <strong>{figure.value}</strong>
                {figure.note && <small title={figure.note}>{figure.note}</small>}
              </Link>
            </li>
          ),
      )}
    </ul>
  )
}

/** How rare the rain was by the first table of this site; null where there is none. A storm of a table says so itself. */
function useRarity(job: SimulationJob) {
  const wanted = !job.input.virtualSource
  const flows = useQuery({ ...flowsQuery(job.id), enabled: wanted })
  const [table] = useQuery({ ...montanaTablesQuery, enabled: wanted }).data ?? []
  const found = useMemo(() => (flows.data && table ? rarityOf(flows.data, table) : null), [flows.data, table])
  return found && { ...found, table: table.name }
}

const ha = (areaM2: number): string => formatQuantityFr(areaM2 / 10_000, 'ha', 1)

function figuresOf(
  found: RunFigures,
  { picks, layer }: Pick<WorkspaceAddress, 'picks' | 'layer'>,
  job: SimulationJob,
  rarity: ReturnType<typeof useRarity>,
): (Figure | null)[] {
  const { deepest, flooded, sewer, outfallPeak, rainPeak } = found
  const drained = job.input.drainageModule === 'true' && sewer !== null && sewer.links > 0 ? sewer : null
  const node = (name: string | null) =>
    name === null ? {} : { picks: withPick(picks, { kind: 'node', name }), view: null }
  // Over the run, where what is shown is one moment of it.
  const wholeRun = followsClock(layer) ? ({ layer: 'maximum' } as const) : {}
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
      to: { ...wholeRun, network: true, ...node(drained.worstNode) },
    },
    drained && {
      name: texts.surcharged,
      value: texts.of(formatNumberFr(drained.surcharged, 0), formatNumberFr(drained.links, 0)),
      to: {
        ...wholeRun,
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
            formatSpan(outfallPeak.meanS),
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
        formatSpan(found.durationS),
        rainPeak &&
          texts.rainPeak(
            formatQuantityFr(rainPeak.rateMmH, 'mm/h', 1),
            formatSpan(rainPeak.meanS),
            formatElapsed(rainPeak.timeS),
          ),
        job.input.virtualSource,
      ]
        .filter(Boolean)
        .join(' · '),
      to: { layer: 'pluie', timeS: rainPeak?.timeS },
    },
    rarity && {
      name: texts.rarity,
      value: rarity.label,
      note: texts.rarityNote(formatSpan(60 * rarity.durationMin), rarity.table),
      brief: true,
      to: { layer: 'pluie', timeS: rainPeak?.timeS },
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
