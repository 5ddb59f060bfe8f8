import { expect, test } from 'vitest'
import { AVATAR_MAX_BYTES, avatarDataUrl } from './avatar.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

test('a picture is told by its bytes', () => {
  expect(avatarDataUrl(Uint8Array.from([...PNG, 1]))).toMatch(/^data:image\/png;base64,/)
  expect(avatarDataUrl(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]))).toMatch(/^data:image\/jpeg;base64,/)
  expect(avatarDataUrl(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toMatch(/^data:image\/webp;base64,/)
})

test('an SVG, which may carry scripts, and a too large picture are refused', () => {
  expect(() => avatarDataUrl(Buffer.from('<svg onload="alert(1)"/>'))).toThrow(/PNG, JPEG ou WebP/)
  expect(() => avatarDataUrl(new Uint8Array(AVATAR_MAX_BYTES + 1))).toThrow(/64 kio/)
})
