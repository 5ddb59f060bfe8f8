import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { FrameStore } from './frame-store.ts'
import { FsFrameStore } from './fs-frame-store.ts'
import { Bucket } from './s3/bucket.ts'
import { S3FrameStore } from './s3/s3-frame-store.ts'

/** The settings that say where files lie. */
export type StorePlace = Pick<Config, 'dataDir' | 'objectStore'>

/** Where the frames' bytes lie; any thread can open its own. */
export const openFrameStore = ({ dataDir, objectStore }: StorePlace): FrameStore =>
  objectStore === null ? new FsFrameStore(join(dataDir, 'store')) : new S3FrameStore(new Bucket(objectStore))
