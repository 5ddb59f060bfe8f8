/** A line of [lng, lat], degrees. */
export type Line = [number, number][]

const keyOf = ([x, y]: [number, number]) => `${x.toFixed(5)},${y.toFixed(5)}`

/**
 * The borders of rings, each once however many rings share it: lines between the points where more than two borders
 * meet, and closed ones.
 */
export function arcsOf(rings: readonly Line[]): Line[] {
  const edges = new Map<string, [[number, number], [number, number]]>()
  for (const ring of rings)
    for (let k = 1; k < ring.length; k++) {
      const [a, b] = [keyOf(ring[k - 1]), keyOf(ring[k])]
      if (a !== b) edges.set(a < b ? `${a} ${b}` : `${b} ${a}`, [ring[k - 1], ring[k]])
    }
  return joinLines([...edges.values()])
}

/** Lines that meet end to end as one, as long as no third one meets them there. */
export function joinLines(lines: readonly Line[]): Line[] {
  const atEnds = new Map<string, Set<number>>()
  const note = (line: Line, id: number) => {
    for (const end of [line[0], line[line.length - 1]]) {
      const key = keyOf(end)
      atEnds.set(key, (atEnds.get(key) ?? new Set()).add(id))
    }
  }
  lines.forEach(note)
  const used = new Set<number>()
  const extend = (line: Line): Line => {
    let whole = line
    for (;;) {
      const meeting = [...(atEnds.get(keyOf(whole[whole.length - 1])) ?? [])]
      const next = meeting.find((id) => !used.has(id))
      if (next === undefined || meeting.length > 2) return whole
      used.add(next)
      const other = lines[next]
      const forward = keyOf(other[0]) === keyOf(whole[whole.length - 1])
      whole = [...whole, ...(forward ? other : other.toReversed()).slice(1)]
    }
  }
  const joined: Line[] = []
  lines.forEach((line, id) => {
    if (used.has(id)) return
    used.add(id)
    joined.push(extend(extend([...line]).toReversed()))
  })
  return joined
}

/** Length in degrees. */
export const lengthOf = (line: Line): number =>
  line.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - line[k][0], y - line[k][1]), 0)

/** Corners cut twice after Chaikin; the ends stay where they are. */
export function smooth(line: Line): Line {
  let smoothed = line
  for (let turn = 0; turn < 2 && smoothed.length > 2; turn++) {
    const next: Line = [smoothed[0]]
    for (let k = 1; k < smoothed.length; k++) {
      const [[x0, y0], [x1, y1]] = [smoothed[k - 1], smoothed[k]]
      if (k > 1) next.push([0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1])
      if (k < smoothed.length - 1) next.push([0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1])
    }
    next.push(smoothed[smoothed.length - 1])
    smoothed = next
  }
  return smoothed
}

/** Points without which the line would move by more than `tolerance` degrees of latitude (Douglas and Peucker). */
export function generalise(line: Line, tolerance: number): Line {
  const kept = new Uint8Array(line.length)
  kept[0] = 1
  kept[line.length - 1] = 1
  const closed = keyOf(line[0]) === keyOf(line[line.length - 1])
  const middle = Math.floor(line.length / 2)
  if (closed) kept[middle] = 1
  const waiting: [number, number][] = closed
    ? [
        [0, middle],
        [middle, line.length - 1],
      ]
    : [[0, line.length - 1]]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const [from, to] = part
    let worst = tolerance
    let at = -1
    for (let k = from + 1; k < to; k++) {
      const off = distance(line[k], line[from], line[to])
      if (off > worst) {
        worst = off
        at = k
      }
    }
    if (at < 0) continue
    kept[at] = 1
    waiting.push([from, at], [at, to])
  }
  return line.filter((_, k) => kept[k] === 1)
}

/** Degrees of latitude from a point to a segment. */
function distance(point: [number, number], from: [number, number], to: [number, number]): number {
  const narrow = Math.cos((point[1] * Math.PI) / 180)
  const [px, py] = [(point[0] - from[0]) * narrow, point[1] - from[1]]
  const [dx, dy] = [(to[0] - from[0]) * narrow, to[1] - from[1]]
  const squared = dx * dx + dy * dy
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared))
  return Math.hypot(px - t * dx, py - t * dy)
}

/** Degrees to 1e-4 as differences in base 64 text (Google's encoded polyline, latitude first). */
export function encodeLine(line: Line): string {
  let text = ''
  let last = [0, 0]
  for (const [lng, lat] of line) {
    const now = [Math.round(lat * 1e4), Math.round(lng * 1e4)]
    for (const axis of [0, 1]) {
      const difference = now[axis] - last[axis]
      let bits = difference < 0 ? -2 * difference - 1 : 2 * difference
      while (bits >= 32) {
        text += String.fromCharCode((32 | (bits % 32)) + 63)
        bits = Math.floor(bits / 32)
      }
      text += String.fromCharCode(bits + 63)
    }
    last = now
  }
  return text
}
