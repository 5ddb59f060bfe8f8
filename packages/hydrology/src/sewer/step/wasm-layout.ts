import type { Places } from '../../records.ts'
import type { KernelRoom } from '../network/room.ts'
import type { KernelInput } from './kernel.ts'
import type { SEWER_RECORDS } from './records.ts'

export type SewerPlaces = Places<typeof SEWER_RECORDS>
export type RecordName = keyof typeof SEWER_RECORDS

/** The kernel's memory while it is laid out. */
export interface Layout {
  input: KernelInput
  room: KernelRoom
  view: DataView
  places: SewerPlaces
  /** @returns the address of so many records side by side */
  records(name: RecordName, count: number): number
}

export const addressesOf = <N extends string>(
  names: readonly N[],
  arrays: Readonly<Record<N, { byteOffset: number }>>,
) => Object.fromEntries(names.map((name) => [name, arrays[name].byteOffset])) as Record<N, number>
