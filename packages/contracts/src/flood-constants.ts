// Apart from the schemas, so that a page that needs a number does not load the validator.

/** Lower bounds of the colour bands of water depth, m; the last band is open upwards (spec 2 §9). */
export const DEPTH_LIMITS_M = [0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1] as const
/** Pixel sizes of the three zooms of the matrix, px. */
export const DEPTH_ZOOM_PX = [3, 7, 15] as const
export const DEPTH_LEGEND_TICKS = 11
/** The highest bar of the 3D view, in its units; a cell is one wide. */
export const DEPTH_BAR_MAX = 20
/** Automatic hiding: the smallest of so many equal steps that leaves at most so many pixels. */
export const AUTO_HIDE_PIXELS = 2000
export const AUTO_HIDE_BINS = 100
/** A cell counts as flooded from this depth on, m; less is the film that rain leaves everywhere. */
export const FLOODED_FROM_M = 0.01
/** In a depth frame: outside the model. */
export const DEPTH_FRAME_NO_DATA = 65_535
/** Frames given out in one answer. */
export const MAX_DEPTH_FRAMES = 24
