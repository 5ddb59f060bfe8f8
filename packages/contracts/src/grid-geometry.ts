/**
 * Where a plane, regular, north-up grid lies: outer edges in the unit of its plane (metres; degrees for a
 * `+proj=longlat` plane). Cell (row, col), row 0 at `top`, col 0 at `left`; values are kept as
 * `[row * ncols + col]`.
 */
export interface GridGeometry {
  /** proj4 definition of the plane, e.g. `+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000`. */
  proj4: string
  left: number
  top: number
  right: number
  bottom: number
  ncols: number
  nrows: number
}
