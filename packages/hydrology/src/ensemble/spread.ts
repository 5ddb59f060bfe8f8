/** A depth, mm, where there is no model; deeper water is cut to one less. */
export const DEPTH_OUTSIDE = 65_535
/** A share where there is no model. */
export const SHARE_OUTSIDE = 255

/** Depths, m (NaN outside the model), in whole mm. */
export function depthCodes(depthM: Float32Array): Uint16Array {
  const codes = new Uint16Array(depthM.length)
  for (let cell = 0; cell < codes.length; cell++) {
    const mm = depthM[cell] * 1000
    codes[cell] = mm >= 0 ? Math.min(DEPTH_OUTSIDE - 1, Math.round(mm)) : DEPTH_OUTSIDE
  }
  return codes
}

/**
 * How many of the members have more than `above`, in whole % of all, by cell; `SHARE_OUTSIDE` where there is no model.
 *
 * @param members depths, mm, `DEPTH_OUTSIDE` outside, of one moment
 */
export function exceedance(members: readonly Uint16Array[], above: number): Uint8Array {
  checkMembers(members)
  const counts = new Uint16Array(members[0].length)
  for (const depths of members)
    for (let cell = 0; cell < counts.length; cell++) if (depths[cell] > above) counts[cell]++
  const first = members[0]
  const percents = Uint8Array.from({ length: members.length + 1 }, (_, count) =>
    Math.round((100 * count) / members.length),
  )
  const shares = new Uint8Array(counts.length)
  // A callback a cell would cost more than the counting.
  for (let cell = 0; cell < shares.length; cell++)
    shares[cell] = first[cell] === DEPTH_OUTSIDE ? SHARE_OUTSIDE : percents[counts[cell]]
  return shares
}

/** Share of the members, whole %, in which an element has `least` or more. */
export function reached(members: readonly Float32Array[], least: number): Uint8Array {
  checkMembers(members)
  return Uint8Array.from(members[0], (_, k) => {
    const count = members.reduce((sum, values) => sum + (values[k] >= least ? 1 : 0), 0)
    return Math.round((100 * count) / members.length)
  })
}

/** Linear between the sorted values (Hyndman and Fan 1996, type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(sorted.length - 1, low + 1)
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}

/** Depths of a cell that differ by less than this are counted, mm: most do, and sorting them takes three times as long. */
const COUNTED_MM = 64

/** Quantiles of the members' depths by cell, whole mm, an array a share. */
export function depthQuantiles(members: readonly Uint16Array[], shares: readonly number[]): Uint16Array[] {
  checkMembers(members)
  const count = members.length
  const out = shares.map(() => new Uint16Array(members[0].length))
  const sorted = new Float64Array(count)
  const counts = new Uint16Array(COUNTED_MM)
  for (let cell = 0; cell < members[0].length; cell++) {
    let [least, most] = [DEPTH_OUTSIDE, 0]
    for (let m = 0; m < count; m++) {
      const depth = members[m][cell]
      if (depth < least) least = depth
      if (depth > most) most = depth
    }
    if (most === 0) continue
    if (most === least) sorted.fill(most)
    else if (most - least < COUNTED_MM) {
      counts.fill(0, 0, most - least + 1)
      for (let m = 0; m < count; m++) counts[members[m][cell] - least]++
      let at = 0
      for (let depth = least; depth <= most; depth++)
        for (let left = counts[depth - least]; left > 0; left--) sorted[at++] = depth
    } else sortAt(members, cell, sorted)
    for (let k = 0; k < out.length; k++) out[k][cell] = Math.round(quantile(sorted, shares[k]))
  }
  return out
}

/** Quantiles of the members' values by element, an array a share. */
export function quantiles(members: readonly Float32Array[], shares: readonly number[]): Float32Array[] {
  checkMembers(members)
  const out = shares.map(() => new Float32Array(members[0].length))
  const sorted = new Float64Array(members.length)
  for (let k = 0; k < members[0].length; k++) {
    sortAt(members, k, sorted)
    for (const [q, share] of shares.entries()) out[q][k] = quantile(sorted, share)
  }
  return out
}

/** Sorts what the members have at one place by insertion: they are few. */
function sortAt(members: readonly ArrayLike<number>[], at: number, sorted: Float64Array): void {
  for (let m = 0; m < members.length; m++) {
    const value = members[m][at]
    let k = m
    for (; k > 0 && sorted[k - 1] > value; k--) sorted[k] = sorted[k - 1]
    sorted[k] = value
  }
}

function checkMembers(members: readonly ArrayLike<number>[]): void {
  if (members.length === 0 || members.some(({ length }) => length !== members[0].length))
    throw new RangeError('members of one length, at least one')
}
