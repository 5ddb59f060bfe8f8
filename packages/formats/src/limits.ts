import { FormatError } from '@radx/contracts/errors'

/** Formats that the readers of this package take; the first part of every error code. */
export type FormatName = 'rainbow5' | 'odim' | 'mrrpro' | 'toa5'

/**
 * Largest file that a reader takes, bytes. Some ten times the largest file that the instruments write; a
 * caller compares it with the file's size before reading, so that a 1 GB file never enters memory.
 */
export const MAX_FILE_BYTES: Record<FormatName, number> = {
  rainbow5: 64 * 2 ** 20,
  odim: 64 * 2 ** 20,
  mrrpro: 256 * 2 ** 20,
  toa5: 64 * 2 ** 20,
}

/** Largest grid or sweep that a reader takes, in cells; the European composite has 4.2 million. */
export const MAX_CELLS = 16 * 2 ** 20

/**
 * Refuses a file by its size alone.
 * @throws FormatError `<format>.empty` or `<format>.tooLarge`
 */
export function assertFileSize(format: FormatName, sizeBytes: number): void {
  if (sizeBytes === 0)
    throw new FormatError(
      `${format}.empty`,
      "Le fichier est vide. Attendez la fin de la copie ou copiez-le de nouveau depuis l'instrument.",
    )
  const limit = MAX_FILE_BYTES[format]
  if (sizeBytes > limit)
    throw new FormatError(
      `${format}.tooLarge`,
      `Le fichier pèse ${Math.round(sizeBytes / 2 ** 20)} Mio, plus que les ${limit / 2 ** 20} Mio acceptés. Vérifiez qu'il vient bien de l'instrument ou découpez-le.`,
      { details: { sizeBytes, limit } },
    )
}
