import { describe, expect, test } from 'vitest'
import { MAX_RATE_MM_H, radarRain, uniformRain } from './rain.ts'

const MM_H = 1e-3 / 3600

describe('uniform rain', () => {
  test('is a piece a value, in m/s', () => {
    const rain = uniformRain([0, 36, MAX_RATE_MM_H], 300)
    expect([rain.durationS, rain.intervalS]).toEqual([900, 300])
    expect(Array.from(rain.edgesS)).toEqual([0, 300, 600, 900])
    expect([0, 1, 2].map((piece) => rain.rateMS(piece))).toEqual(
      [0, 36 * MM_H, 3000 * MM_H].map((v) => expect.closeTo(v, 15)),
    )
  })

  test.each([
    [[], 60, 'rain.empty', /^La série de pluie est vide/, undefined],
    [[1], 0, 'rain.empty', /^La série de pluie est vide/, undefined],
    [[1], Number.NaN, 'rain.empty', /^La série de pluie est vide/, undefined],
    [
      [1, 3000.1],
      60,
      'rain.range',
      /^Pluie de 3000.1 mm\/h au pas 2 : une intensité doit être entre 0 et 3000 mm\/h\.$/,
      { piece: 1 },
    ],
    [[-0.1], 60, 'rain.range', /^Pluie de -0.1 mm\/h au pas 1 /, { piece: 0 }],
    [[1, Number.NaN], 60, 'rain.gap', /^La série de pluie n’a pas de valeur au pas 2\. /, { piece: 1 }],
  ])('%j every %d s is refused: %s', (rates, intervalS, code, message, details) => {
    const thrown = expect.objectContaining({
      code,
      message: expect.stringMatching(message),
      ...(details && { details }),
    })
    expect(() => uniformRain(rates, intervalS)).toThrow(thrown)
  })
})

describe('radar rain', () => {
  const cells = Int32Array.of(0, 1, -1, 0)
  const whole = { durationS: 600, intervalS: 300 }

  test('frames are pieces at their own times, cell by cell; what has no data is dry', () => {
    const rain = radarRain(
      [
        { fromS: 0, toS: 200, ratesMmH: [36, 72] },
        { fromS: 200, toS: 450, ratesMmH: [Number.NaN, 18] },
      ],
      cells,
      whole,
    )
    expect([rain.durationS, rain.intervalS]).toEqual([600, 300])
    expect(Array.from(rain.edgesS)).toEqual([0, 200, 450, 600])
    expect(Array.from(rain.rateMS(0) as Float64Array)).toEqual(
      [36, 72, 0, 36].map((v) => expect.closeTo(v * MM_H, 15)),
    )
    expect(Array.from(rain.rateMS(1) as Float64Array)).toEqual(
      [0, 18, 0, 0].map((v) => expect.closeTo(v * MM_H, 15)),
    )
    expect(rain.rateMS(2)).toBe(0)
    // One cell of four outside all along, two more without data, and 150 s without a frame.
    expect(rain.missingShare).toBeCloseTo((200 / 4 + (250 * 3) / 4 + 150) / 600, 12)
  })

  test('frames are cut at the end, and what begins after it is left out', () => {
    const rain = radarRain(
      [
        { fromS: 100, toS: 700, ratesMmH: [1, 1] },
        { fromS: 700, toS: 900, ratesMmH: [1, 1] },
      ],
      Int32Array.of(0, 1),
      whole,
    )
    expect(Array.from(rain.edgesS)).toEqual([0, 100, 600])
    expect(rain.rateMS(0)).toBe(0)
    expect(rain.missingShare).toBeCloseTo(100 / 600, 12)
  })

  test('no frames at all are a dry gap', () => {
    const rain = radarRain([], cells, whole)
    expect(Array.from(rain.edgesS)).toEqual([0, 600])
    expect(rain.missingShare).toBe(1)
  })

  test('a frame may begin a millionth of a second before the last one ends, no earlier; none ends before it begins', () => {
    const frames = (fromS: number, toS: number) => [
      { fromS: 0, toS: 200, ratesMmH: [1, 1] },
      { fromS, toS, ratesMmH: [2, 2] },
    ]
    expect(Array.from(radarRain(frames(200 - 5e-7, 400), cells, whole).edgesS)).toEqual([0, 200, 400, 600])
    const refused = (fromS: number, toS: number) => () => radarRain(frames(fromS, toS), cells, whole)
    const order = expect.objectContaining({
      code: 'rain.order',
      message: expect.stringMatching(
        /^L’image radar 2 commence à (199.9|300) s, avant la fin de la précédente\. /,
      ),
      details: { frame: 1 },
    })
    expect(refused(199.9, 400)).toThrow(order)
    expect(refused(300, 300)).toThrow(order)
  })

  test('rates that cannot be are refused with their frame', () => {
    const bad = [
      { fromS: 0, toS: 200, ratesMmH: [1, 0] },
      { fromS: 200, toS: 400, ratesMmH: [1, 4000] },
    ]
    expect(() => radarRain(bad, cells, whole)).toThrow(
      expect.objectContaining({ code: 'rain.range', details: { piece: 1 } }),
    )
  })
})
