/**
 * A looped network of ours for checks: a grid of streets with a pipe in each, three outfalls, a storm that makes
 * the middle surcharge. Deterministic.
 */
export function loopedNetwork(): string {
  const columns = 8
  const rows = 6
  const spacing = 60
  const name = (r: number, c: number) => `J${r}_${c}`
  // Ground falls to the south-west; a swell in the middle makes loops flow both ways in turn.
  const invert = (r: number, c: number) =>
    20 - 0.12 * r - 0.1 * (columns - 1 - c) - 0.25 * Math.exp(-((r - 3) ** 2 + (c - 4) ** 2) / 4)
  const junctions: string[] = []
  const conduits: string[] = []
  const sections: string[] = []
  const inflows: string[] = []
  const coordinates: string[] = []
  let count = 0
  const pipe = (from: string, to: string, diameter: number, length = spacing) => {
    const id = `C${++count}`
    conduits.push(`${id} ${from} ${to} ${length} 0.013 0 0 0 0`)
    sections.push(`${id} CIRCULAR ${diameter} 0 0 0 1`)
  }
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      junctions.push(`${name(r, c)} ${invert(r, c).toFixed(3)} 4 0 0 0`)
      coordinates.push(`${name(r, c)} ${c * spacing} ${-r * spacing}`)
      inflows.push(`${name(r, c)} FLOW RAIN FLOW 1.0 ${(0.6 + ((r * 7 + c * 5) % 5) * 0.2).toFixed(2)}`)
      const trunk = r === rows - 1 || c === 0
      if (c > 0) pipe(name(r, c), name(r, c - 1), r === rows - 1 ? 0.9 : 0.5)
      if (r < rows - 1) pipe(name(r, c), name(r + 1, c), trunk ? 0.9 : 0.5)
    }
  }
  const outfalls: [string, string, number][] = [
    ['OUT1', name(rows - 1, 0), invert(rows - 1, 0) - 0.3],
    ['OUT2', name(2, 0), invert(2, 0) - 0.2],
    ['OUT3', name(rows - 1, 4), invert(rows - 1, 4) - 0.3],
  ]
  for (const [out, from] of outfalls) pipe(from, out, 0.8, 40)
  return `[TITLE]
Looped network with three outfalls
[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
START_DATE 01/01/2024
END_DATE 01/01/2024
END_TIME 02:30
ROUTING_STEP 2
REPORT_STEP 00:01:00
VARIABLE_STEP 0.75
[JUNCTIONS]
${junctions.join('\n')}
[OUTFALLS]
${outfalls.map(([out, , z]) => `${out} ${z.toFixed(3)} FREE NO`).join('\n')}
[CONDUITS]
${conduits.join('\n')}
[XSECTIONS]
${sections.join('\n')}
[INFLOWS]
${inflows.join('\n')}
[TIMESERIES]
RAIN 0:00 0.002 0:20 0.01 0:35 0.055 0:45 0.03 1:10 0.01 1:40 0.003 2:30 0.002
[COORDINATES]
${coordinates.join('\n')}
[REPORT]
NODES ALL
LINKS ALL
`
}
