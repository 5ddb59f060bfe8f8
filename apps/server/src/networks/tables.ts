import type { NetworkVersion } from '@radx/contracts'
import type { Generated } from 'kysely'

export interface NetworkTable {
  id: Generated<string>
  username: string
  name: string
  /** `EPSG:2154`; null while positions are of no known plane. */
  crs: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface NetworkVersionTable {
  network_id: string
  version: number
  /** The .inp among the files. */
  file: string
  files: NetworkVersion['files']
  bytes: number
  /** Of names and contents of all files. */
  sha256: Buffer
  nodes: number
  links: number
  subcatchments: number
  warnings: number
  created_at: Generated<Date>
}

declare module '../db/schema.ts' {
  interface Database {
    network: NetworkTable
    network_version: NetworkVersionTable
  }
}
