import { OUTPUT_HEIGHT } from '@radx/contracts/simulation-constants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Curves } from '../../../../sewer/Curves.tsx'
import type { SewerNetwork } from '../../../../sewer/network.ts'
import { sewerTexts as texts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import { QueryState } from '../../../../ui/QueryState.tsx'
import { seriesQuery } from './api.ts'

interface Props {
  jobId: string
  network: SewerNetwork
  names: readonly string[]
}

/** Average depth of the chosen junctions over time. */
export function PointView({ jobId, network, names }: Props) {
  const empty = names.filter((name) => network.node.get(name)?.peakM === null)
  const dry = names.filter((name) => network.node.get(name)?.peakM === 0)
  const series = useQuery({
    ...seriesQuery(
      jobId,
      OUTPUT_HEIGHT,
      names.filter((name) => !empty.includes(name)),
    ),
    placeholderData: keepPreviousData,
  })
  const key = names.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are those of the key
  const data = useMemo(() => {
    const found = new Map(series.data?.junctions.map(({ Name, data }) => [Name, data]))
    return {
      timesS: series.data?.timesS ?? [],
      curves: names.flatMap((name, color) => {
        const values = found.get(name) ?? []
        return values.length === 0 ? [] : [{ name, values, color }]
      }),
      unit: texts.depths.unit,
      decimals: 3,
    }
  }, [series.data, key])
  if (names.length === 0) return null
  return (
    <>
      <QueryState query={series} there={data.curves.length > 0} />
      {empty.length > 0 && <Message kind="warning">{texts.noSeries(empty.join(', '))}</Message>}
      {dry.length > 0 && <Message kind="nfo">{texts.dry(dry.join(', '))}</Message>}
      {data.curves.length > 0 && (
        <Curves
          title={texts.depths.title}
          data={data}
          filename="hauteurs_junctions.csv"
          pending={series.isPlaceholderData}
        />
      )}
    </>
  )
}
