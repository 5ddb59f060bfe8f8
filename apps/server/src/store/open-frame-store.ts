import { join } from 'node:path'
import type { FrameStore } from './frame-store.ts'
import { FsFrameStore } from './fs-frame-store.ts'

/** Where the frames' bytes lie; any thread can open its own. */
export const openFrameStore = (dataDir: string): FrameStore => new FsFrameStore(join(dataDir, 'store'))
