/** An original file, in which frames, readings or profiles came. */
export interface SourceFile {
  /** SHA-256 of the content. */
  hash: Buffer
  kind: string
  name: string
  bytes: number
  /** Where the original will be, relative to the archive folder. */
  archivePath: string
}

/** What is known of a file whose content was taken in before. */
export interface KnownFile {
  /** null when nothing was left to keep. */
  archivePath: string | null
}

/** Row of a file; without a product for what no radar measured. */
export const sourceRow = (
  { hash, kind, name, bytes, archivePath }: SourceFile,
  productId: number | null = null,
) => ({ hash, kind, name, bytes, archive_path: archivePath, product_id: productId })
