import { join } from 'node:path'

/** Folders of ingest below the data folder. */
export const ingestFolders = (dataDir: string) => ({
  inbox: join(dataDir, 'inbox'),
  /** Of the file store that lies in the data folder. */
  archive: join(dataDir, 'archive'),
  rejected: join(dataDir, 'rejected'),
  staging: join(dataDir, 'staging'),
})
