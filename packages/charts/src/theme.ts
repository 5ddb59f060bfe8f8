/** Colours of the charts in one display mode; nothing here is loud, the intensity classes are. */
export interface ChartTheme {
  text: string
  dim: string
  grid: string
  surface: string
  accent: string
  /** Bars that are not the current one. */
  bar: string
  /** Gap or no data. */
  missing: string
  /** Four tones from calm to strong, for wind classes. */
  scale: readonly [string, string, string, string]
  /** Three gauges, in their order. */
  gauges: readonly [string, string, string]
  fontFamily: string
}

const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif"

export const lightTheme: ChartTheme = {
  text: '#15201f',
  dim: '#55636a',
  grid: '#dfe4e5',
  surface: '#ffffff',
  accent: '#0b5a63',
  bar: '#6c9aa0',
  missing: '#e9eded',
  scale: ['#b5ced1', '#6fa5ab', '#2f7b84', '#083f46'],
  gauges: ['#b4470e', '#5a3fb0', '#0b6b3a'],
  fontFamily,
}

export const darkTheme: ChartTheme = {
  text: '#dfe6e7',
  dim: '#94a3a8',
  grid: '#232c2f',
  surface: '#0f1415',
  accent: '#7fd6db',
  bar: '#3a7f87',
  missing: '#1a2224',
  scale: ['#24474b', '#33757b', '#5cbcc2', '#c3eef0'],
  gauges: ['#f2975d', '#b3a0f5', '#6fd39b'],
  fontFamily,
}

export interface ChartSize {
  width: number
  height: number
}
