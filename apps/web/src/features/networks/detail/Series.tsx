import { NativeSelect } from '@mantine/core'
import { lineColor, type SewerChartData } from '@radx/charts/sewer-chart'
import { NETWORK_CURVES_MAX } from '@radx/contracts/networks-constants'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Curves } from '../../../sewer/Curves.tsx'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { useChartTheme } from '../../../ui/chart-theme.ts'
import { Message } from '../../../ui/Message.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import { curvesQuery } from '../api.ts'
import classes from '../Networks.module.css'

const UNITS: Record<string, { unit: string; decimals: number }> = {
  depth: { unit: 'm', decimals: 3 },
  head: { unit: 'm', decimals: 2 },
  volume: { unit: 'm³', decimals: 2 },
  inflow: { unit: 'm³/s', decimals: 4 },
  flooding: { unit: 'm³/s', decimals: 4 },
  flow: { unit: 'm³/s', decimals: 4 },
  velocity: { unit: 'm/s', decimals: 2 },
  capacity: { unit: '', decimals: 2 },
  runoff: { unit: 'm³/s', decimals: 4 },
  rain: { unit: 'mm/h', decimals: 1 },
  infiltration: { unit: 'mm/h', decimals: 2 },
  evaporation: { unit: 'mm/j', decimals: 2 },
  measures: { unit: 'mm', decimals: 1 },
}

interface Props {
  jobId: string
  of: 'node' | 'link' | 'subcatchment'
  names: readonly string[]
  /** Quantities that there is nothing of. */
  without?: readonly string[]
}

/** Curves of what is chosen. */
export default function Series({ jobId, of, names, without = [] }: Props) {
  const choices = Object.fromEntries(
    Object.entries(texts.results[of] as Record<string, string>).filter(([what]) => !without.includes(what)),
  )
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
      {of === 'subcatchment' && <Names names={drawn} />}
      {names.length > NETWORK_CURVES_MAX && (
        <Message kind="nfo">{texts.results.tooMany(NETWORK_CURVES_MAX)}</Message>
      )}
      <QueryState query={series} there={series.data !== undefined} />
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

/** Which curve is whose, where nothing else on the screen says it. */
function Names({ names }: { names: readonly string[] }) {
  const theme = useChartTheme()
  return (
    <ul className={classes.names}>
      {names.map((name, k) => (
        <li key={name}>
          <span style={{ background: lineColor(theme, k) }} />
          {name}
        </li>
      ))}
    </ul>
  )
}
