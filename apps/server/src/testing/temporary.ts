import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for one test, removed after it; open to others (mode 755), since PostgreSQL may run as another account. */
export function temporaryDir(mode = 0o755): string {
  const dir = mkdtempSync(join(tmpdir(), 'radx-test-'))
  chmodSync(dir, mode)
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
