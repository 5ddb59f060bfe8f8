/** The engine's state, and the depths in it, whole mm by cell. */
export { STATE_FILE } from '../simulation/api.ts'
export const DEPTH_FILE = 'depth.bin'
