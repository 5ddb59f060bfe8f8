import { RadxError } from '@radx/contracts/errors'

/** Largest picture in bytes: it travels in the login answer and lives in the browser's local storage. */
export const AVATAR_MAX_BYTES = 64 * 1024

const KINDS = [
  { mime: 'image/png', magic: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], at: 0 },
  { mime: 'image/jpeg', magic: [0xff, 0xd8, 0xff], at: 0 },
  { mime: 'image/webp', magic: [0x57, 0x45, 0x42, 0x50], at: 8 },
] as const

/**
 * `data:` address of a PNG, JPEG or WebP file, told by its first bytes and not by its name.
 * @throws RadxError `accounts.avatarSize`, `accounts.avatarFormat`
 */
export function avatarDataUrl(bytes: Uint8Array): string {
  if (bytes.length > AVATAR_MAX_BYTES)
    throw new RadxError(
      'accounts.avatarSize',
      422,
      `L'avatar dépasse ${AVATAR_MAX_BYTES / 1024} kio. Réduisez l'image, par exemple à 128 pixels de côté.`,
    )
  const kind = KINDS.find(({ magic, at }) => magic.every((byte, i) => bytes[at + i] === byte))
  if (!kind)
    throw new RadxError('accounts.avatarFormat', 422, "L'avatar doit être une image PNG, JPEG ou WebP.")
  return `data:${kind.mime};base64,${Buffer.from(bytes).toString('base64')}`
}
