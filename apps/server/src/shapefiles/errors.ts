import { type CodeOf, FormatError } from '@radx/contracts/errors'

/** A layer file that cannot be taken; `code` is `shapefile.<what>`. */
export class ShapefileError extends FormatError {
  override readonly name: string = 'ShapefileError'
  constructor(what: CodeOf<'shapefile'>, messageFr: string, details?: Record<string, unknown>) {
    super(`shapefile.${what}`, messageFr, { details })
  }
}

/** Bounds that keep an import from filling the memory of the server or of a browser that shows it. */
export const LIMITS = {
  fileBytes: 32 * 1024 * 1024,
  unpackedBytes: 128 * 1024 * 1024,
  zipEntries: 200,
  features: 20_000,
  positions: 500_000,
  properties: 64,
  propertyChars: 1_000,
} as const
