import { useMemo } from 'react'
import { sewerTexts as texts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import { Curves } from './Curves.tsx'
import type { SewerNetwork } from './network.ts'

interface Props {
  network: SewerNetwork
  timesS: readonly number[]
  names: readonly string[]
}

/** Average depth of the chosen junctions over time. */
export function PointView({ network, timesS, names }: Props) {
  const data = useMemo(
    () => ({
      timesS,
      curves: names.flatMap((name, color) => {
        const values = network.node.get(name)?.depthM ?? []
        return values.length === 0 ? [] : [{ name, values, color }]
      }),
      unit: texts.depths.unit,
      decimals: 3,
    }),
    [network, timesS, names],
  )
  const empty = names.filter((name) => network.node.get(name)?.depthM.length === 0)
  if (names.length === 0) return null
  return (
    <>
      {empty.length > 0 && <Message kind="warning">{texts.noSeries(empty.join(', '))}</Message>}
      {data.curves.length > 0 && (
        <Curves title={texts.depths.title} data={data} filename="hauteurs_junctions.csv" />
      )}
    </>
  )
}
