import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import type { EChartsOption } from 'echarts'

const require = createRequire(import.meta.url)
const FONTS = [
  '400Regular/Inter_400Regular.ttf',
  '500Medium/Inter_500Medium.ttf',
  '600SemiBold/Inter_600SemiBold.ttf',
  '700Bold/Inter_700Bold.ttf',
].map((file) => require.resolve(`@expo-google-fonts/inter/${file}`))

/** Six hundred modules: only who draws loads them. */
const echarts = (): typeof import('echarts') => require('echarts')

/** A chart of the screens as SVG. */
export function drawSvg(chartOption: EChartsOption, size: { width: number; height: number }): string {
  const chart = echarts().init(null, null, { renderer: 'svg', ssr: true, ...size })
  try {
    chart.setOption(chartOption)
    return chart.renderToSVGString()
  } finally {
    chart.dispose()
  }
}

/** An SVG as PNG, `scale` pixels for one of the drawing's. */
export function svgPng(svg: string, scale: number): Uint8Array {
  const resvg = new Resvg(svg, {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: scale },
  })
  // Memory of our own: that of the renderer cannot leave its thread.
  return new Uint8Array(resvg.render().asPng())
}
