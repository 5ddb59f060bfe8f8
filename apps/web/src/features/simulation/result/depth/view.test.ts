import { expect, test } from 'vitest'
import { depthPicture, differencePicture } from './paint.ts'
import { readDepthView, writeDepthView } from './view.ts'

const read = (text: string) => readDepthView(new URLSearchParams(text))

test('an address is the view, and what it does not say is as at the start', () => {
  expect(read('')).toEqual({
    view: '2d',
    palette: 'turbo',
    minCm: null,
    maxCm: null,
    zoom: 1,
    cell: null,
    hideCm: null,
    wireframe: false,
    areaCm: 10,
    difference: false,
  })
  expect(read('vue=x&couleurs=y&min=-1&max=a&zoom=4&cellule=1;2&seuil=&profondeur=7')).toEqual(read(''))
  const text =
    'sortie=depth&vue=3d&couleurs=spectral&min=1.5&max=40&zoom=3&cellule=4%2C7&seuil=12.5&rendu=filaire&profondeur=30&ecart=oui'
  expect(writeDepthView(new URLSearchParams('sortie=depth'), read(text)).toString()).toBe(text)
  expect(writeDepthView(new URLSearchParams(text), read('')).toString()).toBe('sortie=depth')
})

test('depths below the minimum and zero are empty, above the maximum they have its colour', () => {
  const scale = { palette: 'turbo', minCm: 5, maxCm: 20 } as const
  const { data } = depthPicture({ nrows: 1, ncols: 6 }, [0, 4, 5, 20, 90, Number.NaN], scale, [1, 2, 3])
  const cell = (k: number) => [...data.subarray(4 * k, 4 * k + 4)]
  expect(cell(0)).toEqual([1, 2, 3, 255])
  expect(cell(1)).toEqual([1, 2, 3, 255])
  expect(cell(3)).toEqual(cell(4))
  expect(cell(2)).not.toEqual(cell(3))
  expect(cell(5)[3]).toBe(0)
  expect(depthPicture({ nrows: 1, ncols: 1 }, [0], scale, null).data[3]).toBe(0)
})

test('a deeper cell is red, a shallower one blue, one that is the same is not drawn', () => {
  const { data } = differencePicture({ nrows: 1, ncols: 4 }, [10, -10, 0.05, Number.NaN], 10)
  expect(data[0]).toBeGreaterThan(data[2])
  expect(data[4]).toBeLessThan(data[6])
  expect([data[3], data[7], data[11], data[15]]).toEqual([255, 255, 0, 0])
})
