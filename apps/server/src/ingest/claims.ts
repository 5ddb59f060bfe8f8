import { join } from 'node:path'
import { withSuffix } from '../store/file-moves.ts'
import type { FileStore } from '../store/file-store.ts'

/** A place in the archive that nobody else takes until it is released. */
export interface Claim {
  /** Relative to the archive folder: `<kind>/YYYY/MM/DD/<name>`. */
  path: string
  release(): void
}

/** Places of files that are under way: two of one name and other content must not get the same. */
export class ArchiveClaims {
  private readonly files: Pick<FileStore, 'originalHash'>
  private readonly held = new Map<string, { hash: string; claims: number }>()

  constructor(files: Pick<FileStore, 'originalHash'>) {
    this.files = files
  }

  /** @param measuredMs day under which the file is kept */
  async claim(kind: string, measuredMs: number, name: string, content: Uint8Array): Promise<Claim> {
    const hash = Buffer.from(content).toString('hex')
    const [year, month, day] = new Date(measuredMs).toISOString().slice(0, 10).split('-')
    const folder = join(kind, year, month, day)
    const path = join(folder, name)
    // Held before it is looked at: another file of this name may ask meanwhile.
    const claim = this.hold(path, hash)
    if (claim !== null) {
      try {
        const archived = await this.files.originalHash(path)
        if (archived === null || archived.equals(content)) return claim
      } catch (error) {
        claim.release()
        throw error
      }
      claim.release()
    }
    return this.hold(join(folder, withSuffix(name, hash.slice(0, 8))), hash)!
  }

  /** null when a file of other content holds the place. */
  private hold(path: string, hash: string): Claim | null {
    const held = this.held.get(path) ?? { hash, claims: 0 }
    if (held.hash !== hash) return null
    held.claims++
    this.held.set(path, held)
    const release = () => {
      if (--held.claims === 0) this.held.delete(path)
    }
    return { path, release }
  }
}
