import { createHash } from 'node:crypto'
import type { SourceFile } from '../store/source-file.ts'

/** A file with this content, as ingest tells the store of it. */
export const sourceFile = (content: string, kind: SourceFile['kind'] = 'rainbow5'): SourceFile => ({
  hash: createHash('sha256').update(content).digest(),
  kind,
  name: `${content}.${kind === 'mrr' ? 'nc' : 'dpsri'}`,
  bytes: content.length,
  archivePath: `${kind}/${content}`,
})
