import { describe, expect, test } from 'vitest'
import { landUsePicture, networkPicture, reliefPicture } from './slides.ts'

const data = {
  data: [
    [1, 2],
    [5, -9999],
  ],
  elevation: [
    [40, 42],
    [40, -9999],
  ],
  cellSizeM: 10,
}
const corners = {
  sw: [2, 48] as [number, number],
  se: [3, 48] as [number, number],
  ne: [3, 49] as [number, number],
  nw: [2, 49] as [number, number],
}

describe('the pictures of a basin', () => {
  test('[SIMDETAIL-03] each has one pixel a cell, and outside the basin nothing', () => {
    const table = [{ code: 1, color: '#102030' }] as never
    for (const picture of [
      landUsePicture(data, table),
      reliefPicture(data),
      networkPicture(data, [], corners),
    ]) {
      expect([picture.width, picture.height]).toEqual([2, 2])
      expect([3, 7, 11, 15].map((k) => picture.data[k])).toEqual([255, 255, 255, 0])
    }
    expect([...landUsePicture(data, table).data.slice(0, 3)]).toEqual([16, 32, 48])
  })
})
