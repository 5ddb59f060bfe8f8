import { CUMUL_CLASS_BOUNDS_MM, CUMUL_DRY, INTENSITY_CLASSES } from '@radx/contracts/constants'
import { expect, test } from 'vitest'
import { palette } from './radar-shader.ts'

const NO_DATA = { color: '#5f7076', alpha: 0.22 }

/** OKLab of an sRGB colour, 0 to 1 (Ottosson 2020). */
function okLab(table: Float32Array, code: number): [number, number, number] {
  const [r, g, b] = [...table.subarray(code * 4, code * 4 + 3)].map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  )
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

test.each(['light', 'dark'] as const)(
  'depths on a %s ground: nothing where nothing fell, each class its own',
  (scheme) => {
    const table = palette('accumulation', scheme, NO_DATA)
    const alpha = (code: number) => table[code * 4 + 3]
    const classes = CUMUL_CLASS_BOUNDS_MM.length + 1
    expect(alpha(CUMUL_DRY)).toBe(0)
    const colors = Array.from({ length: classes }, (_, code) => okLab(table, code))
    for (let i = 0; i < classes; i++) {
      expect(alpha(i)).toBe(1)
      for (let j = 0; j < i; j++)
        expect(Math.hypot(...colors[i].map((c, k) => c - colors[j][k])), `${j} and ${i}`).toBeGreaterThan(
          0.05,
        )
    }
    // More water is darker on light ground and brighter on dark ground.
    const lightness = colors.map(([l]) => l)
    const sorted = lightness.toSorted((a, b) => (scheme === 'light' ? b - a : a - b))
    expect(lightness).toEqual(sorted)
  },
)

test.each(['light', 'dark'] as const)(
  'tenths of probability on a %s ground: none under one, each its own',
  (scheme) => {
    const table = palette('probability', scheme, NO_DATA)
    const alpha = Array.from({ length: 15 }, (_, code) => table[code * 4 + 3])
    expect(alpha).toEqual(Array.from({ length: 15 }, (_, code) => (code >= 1 && code <= 10 ? 1 : 0)))
    const colors = Array.from({ length: 10 }, (_, k) => okLab(table, k + 1))
    const steps = colors.slice(1).map(([l], k) => (scheme === 'light' ? colors[k][0] - l : l - colors[k][0]))
    expect(Math.min(...steps)).toBeGreaterThan(0.05)
  },
)

test('intensities are the official colours on both grounds, and nothing below them', () => {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => palette('intensity', scheme, NO_DATA))
  expect(light).toEqual(dark)
  expect(light[3]).toBe(0)
  INTENSITY_CLASSES.forEach(({ color }, k) => {
    const channels = light.subarray((k + 1) * 4, (k + 1) * 4 + 3)
    expect(
      [...channels]
        .map((c) =>
          Math.round(c * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join(''),
    ).toBe(color.slice(1))
  })
})

test.each(['light', 'dark'] as const)(
  'qualities on a %s ground: each class its own, the best the strongest',
  (scheme) => {
    const table = palette('quality', scheme, NO_DATA)
    const lightness = Array.from({ length: 10 }, (_, k) => okLab(table, k + 1)[0])
    expect(lightness).toEqual(lightness.toSorted((a, b) => (scheme === 'light' ? b - a : a - b)))
    for (let k = 1; k < 10; k++) expect(Math.abs(lightness[k] - lightness[k - 1])).toBeGreaterThan(0.01)
  },
)
