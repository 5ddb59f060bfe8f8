import type { NowcastMotion } from '@radx/contracts/nowcast'

/** An arrow is as long as the way of this time, h. */
const SHOWN_H = 1 / 6
/** Slower rain has no direction worth showing, km/h. */
const STILL_KM_H = 1
const KM_PER_DEGREE = 111.2
const HEAD = 0.3
const HEAD_ANGLE = (150 * Math.PI) / 180

type Line = [number, number][]

/** Arrows from where the rain is to where it will be in ten minutes: a shaft and two strokes of the head, [lng, lat]. */
export function arrowLines(arrows: NowcastMotion['arrows']): Line[] {
  return arrows.flatMap(({ lat, lng, eastKmH, northKmH }) => {
    if (Math.hypot(eastKmH, northKmH) < STILL_KM_H) return []
    const from = ([x, y]: [number, number], at: { lat: number; lng: number }): [number, number] => [
      at.lng + x / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)),
      at.lat + y / KM_PER_DEGREE,
    ]
    const way: [number, number] = [eastKmH * SHOWN_H, northKmH * SHOWN_H]
    const [tipLng, tipLat] = from(way, { lat, lng })
    const tip = { lat: tipLat, lng: tipLng }
    const stroke = (angle: number): Line => [
      [tipLng, tipLat],
      from(
        [
          HEAD * (way[0] * Math.cos(angle) - way[1] * Math.sin(angle)),
          HEAD * (way[0] * Math.sin(angle) + way[1] * Math.cos(angle)),
        ],
        tip,
      ),
    ]
    return [
      [
        [lng, lat],
        [tipLng, tipLat],
      ],
      stroke(HEAD_ANGLE),
      stroke(-HEAD_ANGLE),
    ]
  })
}
