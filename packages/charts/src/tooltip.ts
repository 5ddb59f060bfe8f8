import type { ChartTheme } from './theme.ts'

/** The box in which a chart says what the pointer is on. */
export const tooltipBox = ({ surface, grid, text, fontFamily }: ChartTheme) => ({
  confine: true,
  transitionDuration: 0,
  backgroundColor: surface,
  borderColor: grid,
  padding: [6, 10] as [number, number],
  textStyle: { color: text, fontSize: 12, fontFamily },
})

/** What the pointer is on: ECharts gives one or several. */
export const hovered = <T>(given: unknown) => (Array.isArray(given) ? given : [given]) as T[]
