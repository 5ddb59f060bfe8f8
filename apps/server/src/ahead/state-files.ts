/** The engine's state, and the depths in it, whole mm by cell. */
export const STATE_FILE = 'state.bin'
export const DEPTH_FILE = 'depth.bin'
