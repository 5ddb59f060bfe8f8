import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Reference data beside the checkout. */
export const REFERENCE_DATA = resolve(import.meta.dirname, '../../../shared/data')

/**
 * Whether the reference data is there. In CI it must be: tests then run and fail by themselves; elsewhere
 * they are skipped, and say so.
 */
export function hasReferenceData(): boolean {
  if (existsSync(REFERENCE_DATA) || process.env.CI) return true
  console.warn(`reference data not found in ${REFERENCE_DATA}: conformance tests are skipped`)
  return false
}

/** Absolute paths of the files of a folder of the reference data, sorted by name. */
export function referenceFiles(folder: string, pattern = /./): string[] {
  const path = join(REFERENCE_DATA, folder)
  return readdirSync(path)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(path, name))
}
