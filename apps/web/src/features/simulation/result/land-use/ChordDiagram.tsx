import { useMediaQuery } from '@mantine/hooks'
import { landUseChord } from '@radx/charts/land-use-chord'
import type { ChartSize } from '@radx/charts/theme'
import { useCallback } from 'react'
import { detailTexts } from '../../../../texts/simulation.ts'
import { Chart } from '../../../../ui/Chart.tsx'
import { useChartTheme } from '../../../../ui/chart-theme.ts'
import type { Change } from './changes.ts'

const HEIGHT = { wide: 380, narrow: 280 }
/** The library's part for this chart alone, asked for when a diagram is shown. */
const parts = () => import('./chord-parts.ts')

interface Props {
  changes: readonly Change[]
  /** The table beside it, with the same numbers. */
  table: { id: string }
}

/** Changes of land use as chords. */
export function ChordDiagram({ changes, table }: Props) {
  const theme = useChartTheme()
  const narrow = useMediaQuery('(max-width: 34em)')
  const build = useCallback((size: ChartSize) => landUseChord({ changes }, theme, size), [changes, theme])
  return (
    <Chart
      label={detailTexts.comparison.chord}
      height={narrow ? HEIGHT.narrow : HEIGHT.wide}
      build={build}
      parts={parts}
      table={table}
    />
  )
}
