/** Networks that nobody made: trees with loops, every kind of link, node, section and option, drawn at random. */

/** A number in [0, 1). */
export type Random = () => number

/** A network and what it is made of, for those who look for what goes wrong. */
export interface RandomNetwork {
  inp: string
  /** Sections, kinds of devices and outfalls by name of the link or node, options. */
  kinds: Record<string, string>
}

/** Numbers that depend on the seed alone (Mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Shape and dimensions of about the size `d`, m. RECT_ROUND is left out: EPA SWMM's radius of it grows without end as it empties. */
const SHAPES: ((d: number) => string)[] = [
  (d) => `CIRCULAR ${d} 0 0 0`,
  (d) => `CIRCULAR ${d} 0 0 0`,
  (d) => `CIRCULAR ${d} 0 0 0`,
  (d) => `FILLED_CIRCULAR ${d} ${fix(0.2 * d)} 0 0`,
  (d) => `RECT_CLOSED ${d} ${fix(1.2 * d)} 0 0`,
  (d) => `RECT_OPEN ${d} ${fix(1.5 * d)} 0 0`,
  (d) => `TRAPEZOIDAL ${d} ${d} 1.5 2`,
  (d) => `TRIANGULAR ${d} ${fix(3 * d)} 0 0`,
  (d) => `PARABOLIC ${d} ${fix(2 * d)} 0 0`,
  (d) => `POWER ${d} ${fix(2 * d)} 1.5 0`,
  (d) => `RECT_TRIANGULAR ${d} ${fix(1.5 * d)} ${fix(0.4 * d)} 0`,
  (d) => `MODBASKETHANDLE ${fix(1.4 * d)} ${fix(1.2 * d)} ${fix(0.7 * d)} 0`,
  (d) => `HORIZ_ELLIPSE ${d} ${fix(1.55 * d)} 0 0`,
  (d) => `VERT_ELLIPSE ${fix(1.55 * d)} ${d} 0 0`,
  (d) => `ARCH ${d} ${fix(1.6 * d)} 0 0`,
  (d) => `EGG ${fix(1.3 * d)} 0 0 0`,
  (d) => `HORSESHOE ${fix(1.2 * d)} 0 0 0`,
  (d) => `GOTHIC ${fix(1.3 * d)} 0 0 0`,
  (d) => `CATENARY ${fix(1.3 * d)} 0 0 0`,
  (d) => `SEMIELLIPTICAL ${fix(1.3 * d)} 0 0 0`,
  (d) => `BASKETHANDLE ${fix(1.2 * d)} 0 0 0`,
  (d) => `SEMICIRCULAR ${d} 0 0 0`,
  (d) => `CUSTOM ${d} SHAPE1 0 0`,
  () => 'IRREGULAR TRAN1',
  () => 'STREET STR1',
  (d) => `FORCE_MAIN ${d} 120 0 0`,
]

/** What a file's figures are in: flows of litres a second are multiplied by `flow`; US files have other weir coefficients. */
export interface Figures {
  units: string
  flow: number
  us: boolean
}

/** Litres and metres; the others flow about as full. Feet stand where metres did. */
export const FIGURES: Figures[] = [
  { units: 'LPS', flow: 1, us: false },
  { units: 'CMS', flow: 0.001, us: false },
  { units: 'MLD', flow: 0.0864, us: false },
  { units: 'CFS', flow: 0.003, us: true },
  { units: 'GPM', flow: 1.5, us: true },
  { units: 'MGD', flow: 0.002, us: true },
]

/** Words of a device after its two nodes, and its section; `q` scales flows, `w` is 1.84 m^0.5/s in the file's units. */
const DEVICES: ((d: number, q: number, w: number) => [kind: string, words: string, section: string])[] = [
  (d) => ['ORIFICES', `SIDE ${fix(0.2 * d)} 0.65 NO 0`, `CIRCULAR ${fix(0.6 * d)} 0 0 0`],
  (d) => ['ORIFICES', 'SIDE 0 0.6 YES 0', `RECT_CLOSED ${fix(0.4 * d)} ${fix(0.6 * d)} 0 0`],
  (d) => ['ORIFICES', 'BOTTOM 0 0.6 NO 0', `CIRCULAR ${fix(0.5 * d)} 0 0 0`],
  (d, _, w) => ['WEIRS', `TRANSVERSE ${fix(0.5 * d)} ${w} NO 0 0`, `RECT_OPEN ${d} ${fix(1.5 * d)} 0 0`],
  (d, _, w) => ['WEIRS', `TRANSVERSE ${fix(0.5 * d)} ${w} YES 2 0`, `RECT_OPEN ${fix(0.3 * d)} ${d} 0 0`],
  (d, _, w) => ['WEIRS', `SIDEFLOW ${fix(0.5 * d)} ${w} NO 0 0`, `RECT_OPEN ${d} ${fix(1.5 * d)} 0 0`],
  (d, _, w) => [
    'WEIRS',
    `V-NOTCH ${fix(0.3 * d)} ${fix(0.75 * w)} NO 0 0`,
    `TRIANGULAR ${d} ${fix(1.5 * d)} 0 0`,
  ],
  (d, _, w) => [
    'WEIRS',
    `TRAPEZOIDAL ${fix(0.4 * d)} ${w} NO 0 ${fix(0.75 * w)}`,
    `TRAPEZOIDAL ${d} ${d} 0.5 0.5`,
  ],
  (d, _, w) => [
    'WEIRS',
    `ROADWAY ${fix(0.8 * d)} ${fix(0.87 * w)} NO 0 0 NO 6 PAVED`,
    `RECT_OPEN ${d} ${fix(4 * d)} 0 0`,
  ],
  (d, q) => ['OUTLETS', `${fix(0.2 * d)} FUNCTIONAL/DEPTH ${fine(300 * q)} 0.5 NO`, ''],
  (d, q) => ['OUTLETS', `${fix(0.3 * d)} FUNCTIONAL/HEAD ${fine(200 * q)} 0.5 NO`, ''],
  () => ['OUTLETS', '0 TABULAR/HEAD RATE1 NO', ''],
  () => ['OUTLETS', '0 TABULAR/DEPTH RATE1 YES', ''],
  () => ['PUMPS', 'PUMPA ON 0 0', ''],
  () => ['PUMPS', 'PUMPB ON 0 0', ''],
  () => ['PUMPS', 'PUMPC ON 0 0', ''],
  () => ['PUMPS', 'PUMPD ON 0 0', ''],
  () => ['PUMPS', 'PUMPE OFF 1.2 0.4', ''],
  () => ['PUMPS', 'PUMPF ON 0 0', ''],
]

const STORAGES = [
  'FUNCTIONAL 0 0 80',
  'FUNCTIONAL 20 0.5 30',
  'TABULAR POND',
  'CYLINDRICAL 12 8 0',
  'CONICAL 12 8 2',
  'PARABOLIC 14 10 3',
  'PYRAMIDAL 12 8 1',
]

const tables = (q: number) => `[TRANSECTS]
NC 0.05 0.05 0.03
X1 TRAN1 8 10 16 0 0 0 0 0
GR 3 0 2 0 1.8 10 0 12 0 14
GR 1.8 16 2 26 3 26
[STREETS]
STR1 5 0.15 2 0.016 0.05 0.6 2 3 2 0.02
[CURVES]
SHAPE1 SHAPE 0 0.3
SHAPE1 0.4 1
SHAPE1 1 0.5
POND STORAGE 0 20
POND 1 60
POND 3 150
RATE1 RATING 0 0
RATE1 1 ${fine(200 * q)}
RATE1 3 ${fine(400 * q)}
PUMPA PUMP1 20 ${fine(40 * q)}
PUMPA 60 ${fine(150 * q)}
PUMPA 500 ${fine(400 * q)}
PUMPB PUMP2 0.3 ${fine(50 * q)}
PUMPB 1.2 ${fine(200 * q)}
PUMPB 4 ${fine(500 * q)}
PUMPC PUMP3 0 ${fine(400 * q)}
PUMPC 3 ${fine(100 * q)}
PUMPC 5 0
PUMPD PUMP4 0 0
PUMPD 4 ${fine(600 * q)}
PUMPE PUMP2 6 ${fine(300 * q)}
PUMPF PUMP5 0 ${fine(300 * q)}
PUMPF 4 0
`

/** Sections as EPA SWMM needs them: it reads those of links by what it knows of the links until then. */
const ORDER =
  'OPTIONS JUNCTIONS OUTFALLS STORAGE CONDUITS PUMPS ORIFICES WEIRS OUTLETS XSECTIONS LOSSES INFLOWS'.split(
    ' ',
  )

const fix = (value: number) => Number(value.toFixed(3))
const fine = (value: number) => Number(value.toPrecision(5))

/** Draws a network of `nodes` nodes or so, in litres a second and metres where nothing else is asked for. */
export function randomNetwork(
  random: Random,
  nodes = 6 + Math.floor(14 * random()),
  figures: Figures = FIGURES[0],
): RandomNetwork {
  return new Draw(random, figures).network(nodes)
}

class Draw {
  private readonly random: Random
  private readonly figures: Figures
  private readonly lists: Record<string, string[]> = {}
  private readonly kinds: Record<string, string> = {}
  private readonly inverts: number[] = []
  private readonly isTank: boolean[] = []

  constructor(random: Random, figures: Figures) {
    this.random = random
    this.figures = figures
  }

  network(count: number): RandomNetwork {
    this.options()
    for (let i = 0; i < count; i++) this.node(i)
    for (let i = 0; i < count; i++) this.ways(i)
    const sections = ORDER.filter((name) => this.lists[name]).map(
      (name) => `[${name}]\n${this.lists[name].join('\n')}\n`,
    )
    return {
      inp: `${sections.join('')}${tables(this.figures.flow)}[TIMESERIES]\n${this.wave()}\n[REPORT]\nNODES ALL\nLINKS ALL\n`,
      kinds: this.kinds,
    }
  }

  private add(section: string, line: string) {
    this.lists[section] = [...(this.lists[section] ?? []), line]
  }

  private pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]
  }

  private between(low: number, high: number): number {
    return fix(low + (high - low) * this.random())
  }

  private flow(litresAS: number): number {
    return fine(litresAS * this.figures.flow)
  }

  private chance(share: number): boolean {
    return this.random() < share
  }

  private options() {
    const drawn: [string, string][] = [
      ['INERTIAL_DAMPING', this.pick(['NONE', 'PARTIAL', 'FULL'])],
      ['SURCHARGE_METHOD', this.pick(['EXTRAN', 'SLOT'])],
      ['NORMAL_FLOW_LIMITED', this.pick(['SLOPE', 'FROUDE', 'BOTH', 'NONE'])],
      ['FORCE_MAIN_EQUATION', this.pick(['H-W', 'D-W'])],
      ['ALLOW_PONDING', this.pick(['YES', 'NO'])],
      ['MIN_SURFAREA', this.pick(['0', '0', '1.167', '3'])],
      ['MIN_SLOPE', this.pick(['0', '0', '0.1'])],
      ['LENGTHENING_STEP', this.pick(['0', '0', '2'])],
      ['VARIABLE_STEP', this.pick(['0.75', '0.5', '0'])],
      ['MAX_TRIALS', this.pick(['8', '20'])],
    ]
    for (const [name, value] of drawn) this.kinds[name] = value
    const fixed: [string, string][] = [
      ['FLOW_UNITS', this.figures.units],
      ['FLOW_ROUTING', 'DYNWAVE'],
      ['START_DATE', '01/01/2024'],
      ['END_DATE', '01/01/2024'],
      ['END_TIME', '02:00'],
      ['ROUTING_STEP', this.kinds.VARIABLE_STEP === '0' ? '0.5' : '2'],
      ['MINIMUM_STEP', '0.1'],
      ['HEAD_TOLERANCE', '0.0005'],
      ['REPORT_STEP', '00:00:10'],
    ]
    for (const [name, value] of [...fixed, ...drawn]) this.add('OPTIONS', `${name} ${value}`)
  }

  private node(i: number) {
    const slope = this.pick([0.3, 0.3, 0.8, 3, -0.3])
    const invert = i === 0 ? 10 : fix(this.inverts[this.parentOf(i)] + slope * this.between(0.3, 1))
    this.inverts[i] = invert
    this.isTank[i] = this.chance(0.15)
    const name = `N${i}`
    const initial = this.chance(0.1) ? this.between(0, 1) : 0
    if (this.isTank[i]) {
      const shape = this.pick(STORAGES)
      this.kinds[name] = `storage ${shape}`
      this.add('STORAGE', `${name} ${invert} ${this.between(2.5, 5)} ${initial} ${shape} 0 0`)
    } else {
      const surcharge = this.chance(0.15) ? this.between(1, 20) : 0
      const ponded = this.chance(0.3) ? 100 : 0
      this.kinds[name] = `junction surcharge ${surcharge} ponded ${ponded}`
      this.add('JUNCTIONS', `${name} ${invert} ${this.between(1.8, 4)} ${initial} ${surcharge} ${ponded}`)
    }
    if (this.chance(0.6))
      this.add(
        'INFLOWS',
        `${name} FLOW WAVE FLOW 1 ${this.between(0.05, 1)} ${this.flow(this.between(0, 5))}`,
      )
  }

  /** The node that water goes to, by the order in which nodes are drawn. */
  private parentOf(i: number): number {
    return Math.max(0, i - 1 - ((i * 7919) % 3))
  }

  private ways(i: number) {
    if (i === 0) this.outfall(0)
    else this.way(i, this.parentOf(i))
    if (i > 3 && this.chance(0.2)) this.way(i, Math.floor(this.random() * (i - 1)))
    if (i > 0 && this.chance(0.08)) this.outfall(i)
  }

  private outfall(i: number) {
    const z = this.inverts[i]
    const low = fix(z - this.between(0, 0.5))
    const gate = this.pick(['YES', 'NO', 'NO'])
    const kind = this.pick([
      `FREE ${gate}`,
      `NORMAL ${gate}`,
      `FIXED ${fix(z + this.between(-0.3, 1))} ${gate}`,
      `TIMESERIES STAGE${i} ${gate}`,
    ])
    if (kind.startsWith('TIMESERIES'))
      this.add('STAGES', `STAGE${i} 0:00 ${z} 1:00 ${fix(z + 0.8)} 2:00 ${z}`)
    this.kinds[`O${i}`] = kind
    this.add('OUTFALLS', `O${i} ${low} ${kind}`)
    this.conduit(`X${i}`, `N${i}`, `O${i}`)
  }

  private way(from: number, to: number) {
    const name = `L${from}_${to}`
    if (this.lists.NAMES?.includes(name)) return
    this.add('NAMES', name)
    if (this.isTank[from] || this.chance(0.07)) {
      const [kind, words, section] = this.pick(DEVICES)(
        this.between(0.3, 1),
        this.figures.flow,
        this.figures.us ? 3.33 : 1.84,
      )
      this.kinds[name] = `${kind} ${words} ${section}`
      this.add(kind, `${name} N${from} N${to} ${words}`)
      if (section) this.add('XSECTIONS', `${name} ${section} 1`)
      if (!this.isTank[from] || this.chance(0.3)) this.conduit(`Y${from}_${to}`, `N${from}`, `N${to}`)
    } else this.conduit(name, `N${from}`, `N${to}`)
  }

  private conduit(name: string, from: string, to: string) {
    const section = this.pick(SHAPES)(this.between(0.3, 1.2))
    const [in1, in2] = [0.15, 0.15].map((share) => (this.chance(share) ? this.between(0, 0.6) : 0))
    const rough = section.startsWith('IRREGULAR') ? 0.03 : this.between(0.011, 0.03)
    const most = this.chance(0.05) ? this.flow(this.between(50, 300)) : 0
    const barrels = this.chance(0.08) ? 2 : 1
    this.chance(0.1)
    const losses = this.chance(0.2)
    const gate = this.chance(0.08) ? 'YES' : 'NO'
    const seepage = 0
    this.kinds[name] =
      `${section} offsets ${in1} ${in2} most ${most} barrels ${barrels}${losses ? ' losses' : ''} gate ${gate} seepage ${seepage}`
    this.add('CONDUITS', `${name} ${from} ${to} ${this.between(15, 200)} ${rough} ${in1} ${in2} 0 ${most}`)
    const words = section.split(' ').length
    this.add('XSECTIONS', `${name} ${section}${' 0'.repeat(Math.max(0, 5 - words))} ${barrels}`)
    if (losses || gate === 'YES' || seepage > 0)
      this.add('LOSSES', `${name} ${losses ? '0.5 1 0.1' : '0 0 0'} ${gate} ${seepage}`)
  }

  private wave(): string {
    const peak = this.flow(this.between(5, 400))
    const lines = [
      `WAVE 0:00 0 0:10 ${fine(0.1 * peak)} 0:25 ${peak} 0:40 ${fine(0.6 * peak)} 1:10 ${fine(0.05 * peak)} 2:00 0`,
    ]
    return [...lines, ...(this.lists.STAGES ?? [])].join('\n')
  }
}
