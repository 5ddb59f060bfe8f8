import type { RunFigures } from '@radx/contracts/figures'
import type { SimulationListItem } from '@radx/contracts/simulation'
import { useQueries, useQuery } from '@tanstack/react-query'
import { compareTexts as texts } from '../../../texts/compare.ts'
import { luseFileQuery, simulationsQuery } from '../api.ts'
import { rainDurationText, rainSourceText } from '../list/listing.ts'
import { figuresQuery } from '../workspace/api.ts'
import type { Row } from './quantities.ts'

export interface ComparedRun extends Row {
  /** Of the list; null where it is not there any more. */
  item: SimulationListItem | null
  failed: unknown
}

/** Finished runs that can be chosen, the newest first, and those that were, with their numbers. */
export function useRuns(ids: readonly string[]) {
  const list = useQuery(simulationsQuery)
  const finished = (list.data ?? [])
    .filter(({ status, rainWithheld }) => status === 'done' && rainWithheld === null)
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date))
  const items = ids.map((id) => finished.find(({ _id }) => _id === id) ?? null)
  const figures = useQueries({
    queries: ids.map((id, k) => ({ ...figuresQuery(id), enabled: items[k] !== null })),
  })
  const lands = useQueries({
    queries: items.map((item) => ({ ...luseFileQuery(item?.input.luseId ?? ''), enabled: item !== null })),
  })
  const runs: ComparedRun[] = ids.map((id, k) => ({
    ...rowOf(id, items[k], figures[k].data ?? null, lands[k].data?.desc ?? ''),
    item: items[k],
    failed: figures[k].error,
  }))
  return { list, finished, runs }
}

function rowOf(
  id: string,
  item: SimulationListItem | null,
  figures: RunFigures | null,
  description: string,
): Row {
  if (item === null)
    return { id, title: texts.gone, catchment: '', rain: '', land: '', equations: '', figures: null }
  const { input } = item
  const [line] = description.split('\n')
  const original = input.luseId === input.luseIdSource
  return {
    id,
    title: input.title,
    catchment: input.catchmentDisplay,
    rain: `${rainSourceText(input)}, ${rainDurationText(input)}`,
    land: line !== '' ? line : original ? texts.original : texts.changed,
    equations: texts.equations[input.equations ?? ''] ?? texts.equations.inertial,
    figures,
  }
}
