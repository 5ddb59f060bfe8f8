// Sections as both kernels of the sewer have them.
/** A section by depth. `rows` is the address of `SectionRow`s, the last one twice; `critical` that of critical flows, f64. */
@unmanaged
export class Section {
  stepM: f64
  fullDepthM: f64
  maxFactorRow: i32
  criticalLast: i32
  rows: usize
  critical: usize
}

/** Area m2, width m, hydraulic radius^(4/3), section factor A R^(2/3). */
@unmanaged
export class SectionRow {
  area: f64
  width: f64
  radius43: f64
  factor: f64
}
