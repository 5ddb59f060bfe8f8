import { describe, expect, test } from 'vitest'
import { placeBeside } from './place.ts'

const card = { width: 320, height: 180 }

describe('card of the tour', () => {
  test('lies below its target, above where the window ends, and in the middle without one', () => {
    const wide = { width: 1440, height: 900 }
    const menu = { left: 700, top: 10, width: 60, height: 36 }
    expect(placeBeside(menu, card, wide)).toEqual({
      left: 570,
      top: 58,
      ring: { left: 696, top: 6, width: 68, height: 44 },
    })
    const bar = { left: 40, top: 820, width: 120, height: 36 }
    expect(placeBeside(bar, card, wide)).toMatchObject({ left: 8, top: 628 })
    expect(placeBeside(null, card, wide)).toEqual({ left: 560, top: 360, ring: null })
  })

  test.each([
    [390, 844],
    [844, 390],
    [320, 200],
  ])('stays inside a window of %i x %i, wherever the target is', (width, height) => {
    const small = { width: Math.min(card.width, width - 16), height: card.height }
    for (const left of [-50, 0, 150, width - 20])
      for (const top of [-30, 0, height / 2, height - 20, height + 400]) {
        const place = placeBeside({ left, top, width: 40, height: 40 }, small, { width, height })
        expect(place.left).toBeGreaterThanOrEqual(8)
        expect(place.left + small.width).toBeLessThanOrEqual(width - 8)
        expect(place.top).toBeGreaterThanOrEqual(8)
        expect(place.top + small.height).toBeLessThanOrEqual(height - 8)
      }
  })
})
