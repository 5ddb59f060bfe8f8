import type { AheadNetwork, WhatIf, WhatIfBody } from '@radx/contracts/ahead'
import type { RunFigures } from '@radx/contracts/figures'
import { SUBMISSION_KEY_HEADER } from '@radx/contracts/jobs'
import type { LiveSetting, LuseFile } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../app/api/client.ts'
import { callPages } from '../../app/api/pages.ts'
import { whatIfTexts as texts } from '../../texts/what-if.ts'

export type LinkKind = AheadNetwork['links'][number]['kind']

export const startWhatIf = (body: WhatIfBody, key: string) =>
  callJson<WhatIf>('/api/job/what-if', { method: 'POST', body, headers: { [SUBMISSION_KEY_HEADER]: key } })

/** Land uses of a catchment; those of another version of it cannot be run on. */
export const landUsesQuery = (catchmentId: string) =>
  queryOptions({
    queryKey: ['what-if-land-uses', catchmentId],
    queryFn: ({ signal }) =>
      callPages<LuseFile>('/api/multihydro/files', { query: { c: catchmentId, n: 'luse.asc' }, signal }),
    select: (files: readonly LuseFile[]) => files.filter(({ outdated }) => !outdated),
  })

export const figuresQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['what-if-figures', jobId],
    queryFn: ({ signal }) => callJson<RunFigures>(`/api/multihydro/file/${jobId}/figures`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** How a link may be set, in the order of a choice: what one does with it first. */
export const SETTINGS: Record<LinkKind, readonly number[]> = {
  conduit: [0, 1],
  pump: [0, 1],
  orifice: [0, 0.25, 0.5, 0.75, 1],
  weir: [0, 0.25, 0.5, 0.75, 1],
  outlet: [0, 0.25, 0.5, 0.75, 1],
}

/** Pumps and gates before pipes: they are there to be moved. */
export const byUse = (links: AheadNetwork['links']): AheadNetwork['links'] =>
  links.toSorted((a, b) => Number(a.kind === 'conduit') - Number(b.kind === 'conduit'))

/** Settings with one more; one of the same link takes its place. */
export const withSetting = (settings: readonly LiveSetting[], one: LiveSetting): LiveSetting[] => [
  ...settings.filter(({ name }) => name !== one.name),
  one,
]

export interface Line {
  name: string
  unit: string
  digits: number
  unchanged: number
  changed: number
}

/** Figures of both runs side by side. */
export function linesOf(unchanged: RunFigures, changed: RunFigures): Line[] {
  const pair = (name: string, unit: string, digits: number, of: (figures: RunFigures) => number): Line => ({
    ...{ name, unit, digits },
    ...{ unchanged: of(unchanged), changed: of(changed) },
  })
  const hasSewer = unchanged.sewer !== null && changed.sewer !== null
  return [
    pair(texts.lines.deepest, 'cm', 0, ({ deepest }) => 100 * (deepest?.depthM ?? 0)),
    ...unchanged.flooded.map(({ fromM }, k) =>
      pair(
        texts.lines.flooded(Math.round(100 * fromM)),
        'ha',
        2,
        ({ flooded }) => flooded[k].areaM2 / 10_000,
      ),
    ),
    ...(hasSewer
      ? [
          pair(texts.lines.overflowing, '', 0, ({ sewer }) => sewer?.overflowing ?? 0),
          pair(texts.lines.overflow, 'm³', 0, ({ sewer }) => sewer?.overflowM3 ?? 0),
          pair(texts.lines.surcharged, '', 0, ({ sewer }) => sewer?.surcharged ?? 0),
          pair(texts.lines.outfalls, 'm³', 0, ({ sewer }) => sewer?.outfallM3 ?? 0),
        ]
      : []),
  ]
}
