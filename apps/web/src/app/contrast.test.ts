import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compassChart } from '@radx/charts/compass'
import { lineColor } from '@radx/charts/sewer-chart'
import { darkTheme, lightTheme } from '@radx/charts/theme'
import { COMPASS_DIRECTIONS, WIND_CLASSES } from '@radx/contracts/constants'
import { describe, expect, test } from 'vitest'

// WCAG 2.2: text 4.5:1 (1.4.3), what carries meaning 3:1 against its neighbour, or an outline that gives it (1.4.11).

const SRC = resolve(import.meta.dirname, '..')
const [TEXT, GRAPHIC] = [4.5, 3]

type Rgb = [number, number, number]
const rgb = (hex: string) => [1, 3, 5].map((k) => Number.parseInt(hex.slice(k, k + 2), 16)) as Rgb

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((byte) => {
    const c = byte / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function ratio(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

/** Custom properties of both modes in a style sheet, the light ones first. */
function modesOf(path: string): { light: Record<string, string>; dark: Record<string, string> } {
  const css = readFileSync(join(SRC, path), 'utf8')
  const from = css.indexOf('scheme="dark"]')
  const read = (part: string) =>
    Object.fromEntries(
      [...part.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    )
  const light = read(css.slice(0, from))
  return { light, dark: { ...light, ...read(css.slice(from)) } }
}

const page = modesOf('app/theme.css')
const MODES = [
  { mode: 'light' as const, chart: lightTheme },
  { mode: 'dark' as const, chart: darkTheme },
]

test('the measure itself: black on white is 21, equal colours are 1', () => {
  expect(ratio([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 6)
  expect(ratio(rgb('#777777'), rgb('#ffffff'))).toBeCloseTo(4.48, 2)
  expect(ratio([9, 9, 9], [9, 9, 9])).toBe(1)
})

describe.each(MODES)('$mode mode', ({ mode, chart }) => {
  const colors = page[mode]
  const grounds = ['rx-bg', 'rx-surface', 'rx-surface-2']
  const against = (color: string, ground: string) => ratio(rgb(color), rgb(ground))
  const tooFaint = (names: string[], on: string[], least: number) =>
    names.flatMap((name) =>
      on
        .filter((ground) => against(colors[name], colors[ground]) < least)
        .map((ground) => `${name} on ${ground}: ${against(colors[name], colors[ground]).toFixed(2)}`),
    )

  test('text on every ground that it stands on', () => {
    expect(tooFaint(['rx-text', 'rx-dim', 'rx-accent', 'rx-bad', 'rx-warn'], grounds, TEXT)).toEqual([])
    expect(tooFaint(['rx-accent', 'rx-text'], ['rx-accent-soft'], TEXT)).toEqual([])
    expect(tooFaint(['rx-warn'], ['rx-warn-soft'], TEXT)).toEqual([])
    expect(tooFaint(['rx-bad'], ['rx-bad-soft'], TEXT)).toEqual([])
  })

  test('the focus ring, and the edge round what carries a colour of the data', () => {
    expect(tooFaint(['rx-accent', 'rx-edge'], grounds, GRAPHIC)).toEqual([])
  })

  test('lines and bars of the charts', () => {
    const parts = {
      accent: chart.accent,
      bar: chart.bar,
      ...Object.fromEntries(chart.gauges.map((color, k) => [`gauge ${k + 1}`, color])),
      ...Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`line ${k + 1}`, lineColor(chart, k)])),
    }
    const faint = Object.entries(parts).filter(([, color]) => against(color, chart.surface) < GRAPHIC)
    expect(faint).toEqual([])
    expect(against(chart.dim, chart.surface)).toBeGreaterThanOrEqual(TEXT)
  })

  test('every class of the wind has an outline that shows on the ground', () => {
    const shares = Object.fromEntries(COMPASS_DIRECTIONS.map((direction) => [direction, 1]))
    const compass = Object.fromEntries(WIND_CLASSES.map((name) => [name, shares])) as Parameters<
      typeof compassChart
    >[0]['compass']
    const { series } = compassChart({ compass }, chart, { width: 300, height: 300 })
    const outlines = (series as { itemStyle: { borderColor: string; borderWidth: number } }[]).map(
      ({ itemStyle }) => itemStyle,
    )
    expect(outlines).toHaveLength(WIND_CLASSES.length)
    for (const { borderColor, borderWidth } of outlines) {
      expect(against(borderColor, chart.surface)).toBeGreaterThanOrEqual(GRAPHIC)
      expect(borderWidth).toBeGreaterThan(0)
    }
  })

  test('marks of the sewer on the map', () => {
    const sewer = modesOf('sewer/NetworkMap.module.css')[mode]
    const land = mode === 'light' ? '#edf0ef' : '#0d1213'
    const marks = Object.entries(sewer).filter(([name]) => name.startsWith('sewer-'))
    expect(marks).toHaveLength(6)
    expect(marks.filter(([, color]) => against(color, land) < GRAPHIC)).toEqual([])
  })
})

test('everything painted with a colour of the data has the edge round it', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  const painted = files.filter(
    (file) => file.endsWith('.tsx') && /background: (?!var)/.test(readFileSync(join(SRC, file), 'utf8')),
  )
  expect(painted.length).toBeGreaterThan(12)
  const edgeless = painted.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8')
    // Keys of lines have the colours of the lines, which are tested above.
    if (/lineColor\(theme|<i style=\{\{ background: color/.test(text) || file.endsWith('Scene.tsx'))
      return false
    const sheets = [...text.matchAll(/from '(\.[^']+\.module\.css)'/g)].map(([, path]) => path)
    return !sheets.some((path) =>
      readFileSync(join(SRC, file, '..', path), 'utf8').includes('var(--rx-edge)'),
    )
  })
  expect(edgeless).toEqual([])
})
