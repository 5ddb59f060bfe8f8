import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { csvOut } from '../csv-out.ts'

/** Files that a run may leave: those of an earlier one that it does not write would not belong to its results. */
const OPTIONAL = ['series.csv', 'subcatchments.csv', 'lids.csv', 'compare-links.csv', 'compare-nodes.csv']

/** Writes beside the folder, then moves in: a reader sees whole files, the old ones or the new. */
export async function writeTogether(out: string, files: Record<string, string>): Promise<void> {
  await mkdir(dirname(out), { recursive: true })
  const staging = await mkdtemp(`${out}.partiel-`)
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(join(staging, name), name.endsWith('.csv') ? csvOut(text) : text)
    await mkdir(out, { recursive: true })
    for (const name of await readdir(staging)) await rename(join(staging, name), join(out, name))
    for (const name of OPTIONAL) if (!(name in files)) await rm(join(out, name), { force: true })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}
