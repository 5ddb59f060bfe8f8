import { expect, test } from 'vitest'
import { assertFileSize } from './limits.ts'
import { refusal } from './testing/refusal.ts'

test('a file may be as large as its format allows, and no larger', () => {
  const mib = 2 ** 20
  for (const [format, limit] of [
    ['rainbow5', 64],
    ['odim', 64],
    ['mrrpro', 256],
    ['toa5', 64],
  ] as const) {
    assertFileSize(format, 1)
    assertFileSize(format, limit * mib)
    const error = refusal(() => assertFileSize(format, limit * mib + 1))
    expect(error.code).toBe(`${format}.tooLarge`)
    expect(error.message).toContain(`pèse ${limit} Mio, plus que les ${limit} Mio acceptés. Vérifiez`)
    expect(error.details).toEqual({ sizeBytes: limit * mib + 1, limit: limit * mib })
  }
})

test('an empty file is none', () => {
  const error = refusal(() => assertFileSize('toa5', 0))
  expect(error.code).toBe('toa5.empty')
  expect(error.message).toContain('Le fichier est vide. Attendez la fin de la copie')
})
