import { fieldsOf, type Places, writeRecord } from '../../records.ts'
import { TABLE_INTERVALS } from '../sections/section-table.ts'
import { type ConduitSections, ROWS_SIZE } from './conduit-sections.ts'
import { ALIGNMENT, type KernelRoom } from './room.ts'

/** What `assembly/sections/records.ts` declares for both kernels of the sewer, under the same names. */
export const SECTION_RECORDS = {
  Section: {
    ...fieldsOf('f64', ['stepM', 'fullDepthM']),
    ...fieldsOf('i32', ['maxFactorRow', 'criticalLast']),
    ...fieldsOf('usize', ['rows', 'critical']),
  },
  SectionRow: fieldsOf('f64', ['area', 'width', 'radius43', 'factor']),
} as const

type SectionPlaces = Pick<Places<typeof SECTION_RECORDS>, 'Section'>

/** Bytes that a section takes at most. */
export const sectionBytes = ({ Section }: SectionPlaces): number =>
  Section.bytes + (ROWS_SIZE + 2 * (TABLE_INTERVALS + 1)) * 8 + 3 * ALIGNMENT

/** Writes the tables of sections into a kernel's memory. @returns the address of each */
export function placeSections(
  { tables, rows: all }: ConduitSections,
  room: KernelRoom,
  view: DataView,
  { Section }: SectionPlaces,
): number[] {
  return tables.map((table, t) => {
    const rows = room.f64(ROWS_SIZE)
    rows.set(all.subarray(t * ROWS_SIZE, (t + 1) * ROWS_SIZE))
    const critical = room.f64(table.critical.length)
    critical.set(table.critical)
    const { stepM, fullDepthM, maxFactorRow, criticalLast } = table
    const at = room.take(Section.bytes)
    writeRecord(view, at, SECTION_RECORDS.Section, Section, {
      ...{ stepM, fullDepthM, maxFactorRow, criticalLast },
      rows: rows.byteOffset,
      critical: critical.byteOffset,
    })
    return at
  })
}
