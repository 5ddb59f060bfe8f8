import { expect, test } from 'vitest'
import { createProgressLine, duration } from './progress.ts'

function terminal(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, write: (text: string) => written.push(text), written }
}

test('a terminal shows share, simulated hours and time left', () => {
  const shown = terminal(true)
  const progress = createProgressLine(shown)
  progress({ share: 0.254, timeS: 5400, leftS: 200, stuckAt: null })
  progress({ share: 1, timeS: 21600, leftS: 0, stuckAt: null })
  expect(shown.written[0]).toBe('\r25 % (1,5 h, reste 3 min 20 s)')
  expect(shown.written[1]).toMatch(/^\r100 % \(6 h\) +\n$/)
})

test('a run that is slower than real time names its node once, also without a terminal', () => {
  const shown = terminal(false)
  const progress = createProgressLine(shown)
  for (let i = 0; i < 3; i++) progress({ share: 0.1, timeS: 3600, leftS: 1e5, stuckAt: 'J7' })
  expect(shown.written).toHaveLength(1)
  expect(shown.written[0]).toContain('au nœud « J7 ». Ctrl-C')
})

test('durations are rounded to what one waits for', () => {
  expect([45, 200, 7500].map(duration)).toEqual(['45 s', '3 min 20 s', '2 h 05 min'])
})
