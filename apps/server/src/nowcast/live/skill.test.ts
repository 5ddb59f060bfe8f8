import { expect, test } from 'vitest'
import { horizonOf, skillTogether } from './skill.ts'

const skill = (leads: number[], csi = 0.6) => leads.map((leadMin) => ({ leadMin, csi }))

test.each([
  ['nothing scored', [], null],
  ['every five minutes', skill([5, 10, 15, 20, 25]), 25],
  ['what falls under 1/e', [...skill([5, 10, 15]), ...skill([20], 0.3), ...skill([25])], 15],
  ['the first leads, and those of an hour before an outage', skill([5, 10, 15, 115, 120]), 15],
  ['half hours, as a site may have them', skill([30, 60, 90, 120]), 120],
  ['one lead alone', skill([30]), 30],
  ['those of before an outage alone', skill([95, 100]), null],
])('the horizon of %s', (_, scored, horizon) => {
  expect(horizonOf(scored)).toBe(horizon)
})

test('after an outage the archive tells the skill where kept forecasts were not scored', async () => {
  const together = await skillTogether(skill([5, 10, 15, 115, 120]), async () => skill([5, 10, 20, 40, 60]))
  expect(together.map(({ leadMin }) => leadMin)).toEqual([5, 10, 15, 20, 40, 60])
  expect(await skillTogether(skill([20, 40, 60]), () => Promise.reject(new Error('not asked')))).toEqual(
    skill([20, 40, 60]),
  )
})
