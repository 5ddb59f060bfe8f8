/** What other features may use of ingest; they import nothing else from this folder. */
export type { DecodedFile, DecodeTask } from './decode.worker.ts'
export { ingestFolders } from './folders.ts'
export { FrameDecoder } from './frame-decoder.ts'
export type { IncomingFile, IngestHandler, PreparedFile } from './handlers.ts'
export { decodeAgain, openDecodersOf, openRecovery, type Recovery } from './recovery.ts'
export { IngestRefusal } from './refusal.ts'
export {
  chainOfVolume,
  type KnownRadar,
  type PlacedVolume,
  placedVolume,
  radarOfSite,
} from './volume-rain.ts'
