import type { RecordRef } from './frame-store.ts'

/** Records closer than this are read in one go: a read costs about as much as copying this much. */
const COALESCE_GAP = 64 * 1024
const COALESCE_MAX = 8 * 1024 * 1024

/** A stretch of a file that holds several records. */
export interface RecordGroup extends RecordRef {
  /** Places in the list given. */
  members: number[]
  /** A record's bytes from those of the stretch. */
  cut(bytes: Buffer, ref: RecordRef): Buffer
}

/** Stretches to read for a list of records of one file. */
export function inGroups(refs: RecordRef[]): RecordGroup[] {
  const order = refs.map((_, i) => i).sort((a, b) => refs[a].offset - refs[b].offset)
  const groups: RecordGroup[] = []
  for (let i = 0; i < order.length; ) {
    const offset = refs[order[i]].offset
    let end = offset + refs[order[i]].length
    let j = i + 1
    for (; j < order.length; j++) {
      const next = refs[order[j]]
      if (next.offset > end + COALESCE_GAP || next.offset + next.length - offset > COALESCE_MAX) break
      end = Math.max(end, next.offset + next.length)
    }
    groups.push({
      offset,
      length: end - offset,
      members: order.slice(i, j),
      cut: (bytes, ref) => bytes.subarray(ref.offset - offset, ref.offset - offset + ref.length),
    })
    i = j
  }
  return groups
}
