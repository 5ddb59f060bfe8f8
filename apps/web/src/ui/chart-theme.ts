import { type ChartTheme, darkTheme, lightTheme } from '@radx/charts/theme'
import { useColorScheme } from '../app/color-scheme.ts'

export function useChartTheme(): ChartTheme {
  return useColorScheme() === 'dark' ? darkTheme : lightTheme
}
