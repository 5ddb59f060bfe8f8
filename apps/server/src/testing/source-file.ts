import { createHash } from 'node:crypto'
import type { SourceFile } from '../store/source-file.ts'

/** A file with this content, as ingest tells the store of it. */
export const sourceFile = (content: string): SourceFile => ({
  hash: createHash('sha256').update(content).digest(),
  kind: 'rainbow5',
  name: `${content}.dpsri`,
  bytes: content.length,
  archivePath: `rainbow5/${content}`,
})
