import type { SewerLink, SewerOrifice, SewerOutlet, SewerPump, SewerWeir } from '@radx/contracts'
import { deviceLaw } from '../devices/devices.ts'
import { sectionTable } from '../sections/section-table.ts'
import { section } from './build.ts'

const ends = { from: 0, to: 1, vertices: [] as [number, number][] }
export const orifice = (more: Partial<SewerOrifice> = {}): SewerOrifice => ({
  kind: 'orifice',
  name: 'R',
  ...ends,
  orientation: 'side',
  offsetM: 0,
  dischargeCoefficient: 0.65,
  flapGate: false,
  openCloseS: 0,
  section: section('CIRCULAR', 0.4),
  ...more,
})
export const weir = (more: Partial<SewerWeir> = {}): SewerWeir => ({
  kind: 'weir',
  name: 'W',
  ...ends,
  form: 'transverse',
  offsetM: 0,
  coefficient: 1.84,
  endContractions: 0,
  endCoefficient: 0,
  flapGate: false,
  canSurcharge: true,
  roadWidthM: 0,
  roadSurface: null,
  coefficientCurve: null,
  section: section('RECT_OPEN', 1, 2),
  ...more,
})
export const pump = (more: Partial<SewerPump> = {}): SewerPump => ({
  kind: 'pump',
  name: 'P',
  ...ends,
  type: 4,
  curve: { name: 'C', x: [0, 2], y: [0, 0.2] },
  initiallyOn: true,
  startDepthM: 0,
  stopDepthM: 0,
  ...more,
})
export const outlet = (more: Partial<SewerOutlet> = {}): SewerOutlet => ({
  kind: 'outlet',
  name: 'O',
  ...ends,
  offsetM: 0,
  rating: { type: 'functional', coefficient: 2, exponent: 1.5 },
  basis: 'depth',
  flapGate: false,
  ...more,
})

/** The law of a device on the table of its section. */
export const law = (link: SewerLink, crestM = 0) => {
  const found = deviceLaw(link, 'section' in link ? sectionTable(link.section) : null, crestM)
  if (!found) throw new Error('no law')
  return found
}
