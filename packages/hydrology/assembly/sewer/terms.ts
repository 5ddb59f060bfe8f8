/**
 * What the terms of one conduit hand on to each other: `Terms` of src/sewer/step/terms.ts. Globals of the kernel, which the
 * compiler keeps in registers where it can.
 */
export class Terms {
  static h1: f64 = 0
  static h2: f64 = 0
  static y1: f64 = 0
  static y2: f64 = 0
  static yMid: f64 = 0
  static area1: f64 = 0
  static width1: f64 = 0
  static radius1: f64 = 0
  static factor1: f64 = 0
  static factorSlope: f64 = 0
  static area2: f64 = 0
  static widthMid: f64 = 0
  static radiusMid: f64 = 0
  static hold1: bool = false
  static hold2: bool = false
  static dry: bool = false
  static limited: bool = false
}
