/** Repeatable numbers in [0, 1) (Mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const METHODS = ['HORTON', 'MODIFIED_HORTON', 'GREEN_AMPT', 'MODIFIED_GREEN_AMPT', 'CURVE_NUMBER'] as const

/** One design of each kind, in mm and mm/h, drawn at random. */
function controls(at: (low: number, high: number) => string): string {
  // Plants in a trench's surface make EPA SWMM lose water (up to 6 % in its own balance).
  const surface = (name: string, height: string, more = '0') =>
    `${name} SURFACE ${height} ${name === 'IT' ? 0 : at(0, 0.2)} ${at(0.1, 0.3)} ${at(0.5, 2)} ${more}`
  const soil = (name: string) =>
    `${name} SOIL ${at(200, 600)} 0.5 0.2 0.1 ${at(10, 60)} ${at(5, 30)} ${at(30, 90)}`
  return [
    'BC BC',
    surface('BC', at(50, 150)),
    soil('BC'),
    `BC STORAGE ${at(150, 300)} 0.75 ${at(1, 10)} 0`,
    `BC DRAIN ${at(0.5, 4)} 0.5 ${at(0, 50)} 0`,
    'RG RG',
    surface('RG', at(50, 150)),
    soil('RG'),
    `RG STORAGE 0 0.75 ${at(2, 10)} 0`,
    'GR GR',
    surface('GR', at(0, 20)),
    soil('GR'),
    `GR DRAINMAT ${at(25, 50)} 0.5 0.1`,
    'IT IT',
    surface('IT', at(0, 30)),
    `IT STORAGE ${at(300, 900)} 0.75 ${at(2, 20)} 0`,
    `IT DRAIN ${at(0, 3)} 0.5 ${at(0, 100)} 0`,
    'PP PP',
    surface('PP', at(0, 5)),
    `PP PAVEMENT 100 0.15 0 ${at(50, 300)} 0`,
    `PP SOIL 0 0.5 0.2 0.1 10 10 50`,
    `PP STORAGE ${at(150, 450)} 0.75 ${at(1, 8)} 0`,
    `PP DRAIN ${at(0.5, 3)} 0.5 ${at(0, 50)} 0`,
    'RB RB',
    `RB STORAGE ${at(500, 1200)} 0.75 0 0`,
    `RB DRAIN ${at(1, 5)} 0.5 0 ${at(0, 6)}`,
    'VS VS',
    `VS SURFACE ${at(100, 300)} 0 ${at(0.1, 0.3)} ${at(0.5, 3)} ${at(2, 5)}`,
    'RD RD',
    surface('RD', at(0, 5)),
    `RD DRAIN ${at(5, 40)} 0 0 0`,
  ].join('\n')
}

/** A block of rain for 12 h, mm/h every 5 min, with a dry middle. */
function storm(random: () => number): string {
  const lines: string[] = []
  let rain = 0
  for (let k = 0; k < 144; k++) {
    if (k % 3 === 0) rain = k > 50 && k < 90 ? 0 : Math.max(0, rain + (random() - 0.48) * 16)
    const hour = Math.floor((k * 5) / 60)
    lines.push(`RAIN ${hour}:${String((k * 5) % 60).padStart(2, '0')} ${rain.toFixed(2)}`)
  }
  return lines.join('\n')
}

/**
 * A model of `count` subcatchments drawn at random: each infiltration method, each way of routing within and among them,
 * and, where asked for, each kind of measure on a subcatchment of its own.
 */
export function randomRunoffModel(seed: number, count: number, measures: boolean): string {
  const random = numbers(seed)
  const at = (low: number, high: number) => (low + random() * (high - low)).toFixed(3)
  const types = ['BC', 'RG', 'GR', 'IT', 'PP', 'RB', 'VS', 'RD']
  const part = { subcatchments: '', subareas: '', infiltration: '', usage: '' }
  for (let k = 0; k < count; k++) {
    const method = METHODS[k % METHODS.length]
    const outlet = k % 4 === 3 && !measures ? `S${k - 1}` : 'J1'
    part.subcatchments += `S${k} R ${outlet} ${at(0.5, 8)} ${at(5, 95)} ${at(30, 300)} ${at(0.2, 6)} 0\n`
    const route = ['OUTLET', 'OUTLET', 'PERVIOUS', 'IMPERVIOUS'][Math.floor(random() * 4)]
    part.subareas += `S${k} ${at(0.01, 0.03)} ${at(0.1, 0.4)} ${at(0, 2)} ${at(1, 6)} ${at(0, 60)} ${route} ${route === 'OUTLET' ? '' : at(20, 100)}\n`
    const parameters = method.includes('HORTON')
      ? `${at(30, 90)} ${at(1, 12)} ${at(2, 6)} ${at(2, 8)} ${
          // EPA SWMM before 5.2.5 stops modified Horton's infiltration at once where it has a limit.
          method === 'HORTON' && random() < 0.5 ? at(20, 60) : 0
        }`
      : method === 'CURVE_NUMBER'
        ? `${at(50, 95)} 0.5 ${at(2, 8)}`
        : `${at(30, 200)} ${at(1, 15)} ${at(0.1, 0.35)}`
    part.infiltration += `S${k} ${parameters} ${method}\n`
    if (measures)
      part.usage += `S${k} ${types[k % types.length]} ${1 + Math.floor(random() * 3)} ${at(50, 400)} ${at(2, 20)} ${random() < 0.5 ? 0 : at(0, 60)} ${at(20, 100)} 0\n`
  }
  return `[OPTIONS]
FLOW_UNITS LPS
INFILTRATION HORTON
FLOW_ROUTING DYNWAVE
START_DATE 06/01/2024
END_DATE 06/03/2024
REPORT_STEP 00:05:00
WET_STEP 00:01:00
DRY_STEP 00:05:00
ROUTING_STEP 30
[EVAPORATION]
CONSTANT ${at(0, 6)}
DRY_ONLY NO
[RAINGAGES]
R INTENSITY 0:05 1 TIMESERIES RAIN
[SUBCATCHMENTS]
${part.subcatchments}[SUBAREAS]
${part.subareas}[INFILTRATION]
${part.infiltration}[LID_CONTROLS]
${measures ? controls(at) : ''}
[LID_USAGE]
${part.usage}[JUNCTIONS]
J1 10 5
[OUTFALLS]
O1 9 FREE
[CONDUITS]
C1 J1 O1 100 0.013 0 0 0 0
[XSECTIONS]
C1 RECT_CLOSED 4 4 0 0
[TIMESERIES]
${storm(random)}
[REPORT]
SUBCATCHMENTS ALL
`
}
