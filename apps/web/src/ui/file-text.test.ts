import { expect, test } from 'vitest'
import { fileText } from './file-text.ts'

const TEXT = 'Pluviomètre;Pluie (mm)\nForêt;0,4\n'

test.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, high bytes first', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ['Western Windows', Buffer.from(TEXT, 'latin1')],
])('%s', async (_, bytes) => {
  expect(await fileText(new Blob([new Uint8Array(bytes)]))).toBe(TEXT)
})
