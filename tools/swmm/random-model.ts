/** Whole models that nobody made: a network drawn at random with rain, soil, people, rules and a hand of its own. */
import { FIGURES, type Figures, type Random, type RandomNetwork, randomNetwork } from './random-network.ts'
import { scrambled } from './scrambled.ts'

export interface RandomModel extends RandomNetwork {
  /** What it has beside a network, for those who look for what goes wrong. */
  traits: string[]
}

/**
 * What is not computed here as EPA SWMM 5.2.2 does, by trait: such models must run, but do not come out alike. Seepage of conduits leaves both ends as
 * in 5.2.4.
 */
export const APART = new Set(['KINWAVE', 'STEADY', 'groundwater', 'snow', 'events', 'conduit seepage'])

/** @param without traits that are not wanted */
export function randomModel(random: Random, without: ReadonlySet<string> = new Set()): RandomModel {
  return new Model(random, without).draw()
}

const METHODS = {
  HORTON: (r: number) => `${75 * r} ${6 * r} 4 7 0`,
  MODIFIED_HORTON: (r: number) => `${60 * r} ${5 * r} 3 6 0`,
  GREEN_AMPT: (r: number) => `${90 * r} ${10 * r} 0.25`,
  MODIFIED_GREEN_AMPT: (r: number) => `${90 * r} ${10 * r} 0.25`,
  CURVE_NUMBER: () => '80 0 7',
}

const HOURS = Array.from({ length: 24 }, (_, h) => Number((1 + 0.5 * Math.sin(h)).toFixed(3)))

class Model {
  private readonly random: Random
  private readonly without: ReadonlySet<string>
  private readonly figures: Figures
  private readonly base: RandomNetwork
  private readonly traits: string[] = []
  private readonly sections: Record<string, string[]> = {}
  private readonly options: Record<string, string> = {}
  private readonly nodes: string[]
  /** Inches an mm where the file is in feet. */
  private readonly rain: number

  constructor(random: Random, without: ReadonlySet<string>) {
    this.random = random
    this.without = without
    this.figures = this.pick(FIGURES)
    this.rain = this.figures.us ? 1 / 25.4 : 1
    this.base = randomNetwork(random, 5 + Math.floor(10 * random()), this.figures)
    this.nodes = Object.keys(this.base.kinds).filter((name) => /^N\d/.test(name))
  }

  draw(): RandomModel {
    this.traits.push(this.figures.units)
    this.maybe(0.7, 'runoff', () => this.runoff())
    this.maybe(0.5, 'dwf', () => this.dryWeather())
    this.maybe(0.3, 'evaporation', () => this.evaporation())
    this.maybe(0.4, 'rules', () => this.rules())
    this.maybe(0.3, 'tank losses', () => this.tankLosses())
    this.maybe(0.3, 'conduit seepage', () => this.conduitSeepage())
    this.maybe(0.2, 'quality', () => this.quality())
    this.maybe(0.2, 'tidal', () => this.tidal())
    this.maybe(0.2, 'divider', () => this.divider())
    this.maybe(0.3, 'elevations', () => this.elevations())
    this.maybe(0.2, 'alone', () => this.add('JUNCTIONS', 'SEUL 5 2 0 0 0'))
    this.maybe(0.1, 'events', () => this.add('EVENTS', '01/01/2024 00:30 01/01/2024 01:30'))
    this.maybe(0.1, 'KINWAVE', () => (this.options.FLOW_ROUTING = 'KINWAVE'))
    this.maybe(0.05, 'STEADY', () => (this.options.FLOW_ROUTING = 'STEADY'))
    this.maybe(0.2, 'start in the afternoon', () => {
      Object.assign(this.options, { START_TIME: '13:10:00', END_TIME: '15:00' })
    })
    const dropped = ['INERTIAL_DAMPING', 'VARIABLE_STEP', 'MAX_TRIALS', 'NORMAL_FLOW_LIMITED', 'MINIMUM_STEP']
    const gone = dropped.filter(() => this.chance(0.1))
    if (gone.length > 0) this.traits.push(`without ${gone.join(' ')}`)
    const inp = this.written(gone)
    const drawn = this.chance(0.6) && !this.without.has('scrambled')
    if (drawn) this.traits.push('scrambled')
    return { inp: drawn ? scrambled(inp, this.random) : inp, kinds: this.base.kinds, traits: this.traits }
  }

  private written(gone: string[]): string {
    let lines = this.base.inp.split('\n')
    for (const [name, value] of Object.entries(this.options)) {
      lines = lines.filter((line) => !line.startsWith(`${name} `))
      lines.splice(1, 0, `${name} ${value}`)
    }
    lines = lines.filter((line) => !gone.some((name) => line.startsWith(`${name} `)))
    const more = Object.entries(this.sections).map(([name, list]) => `[${name}]\n${list.join('\n')}\n`)
    return `${lines.join('\n')}${more.join('')}`
  }

  private runoff() {
    const { rain, figures } = this
    const method = this.pick(Object.keys(METHODS) as (keyof typeof METHODS)[])
    this.options.INFILTRATION = method
    this.traits.push(method)
    const kind = this.pick(['INTENSITY', 'VOLUME', 'CUMULATIVE'])
    this.add('RAINGAGES', `G1 ${kind} 0:05 1.0 TIMESERIES RAIN1`)
    let sum = 0
    for (let k = 0; k < 12; k++) {
      const rate = 60 * rain * Math.exp(-((k - 4) ** 2) / 6)
      sum += rate / 12
      const value = kind === 'INTENSITY' ? rate : kind === 'VOLUME' ? rate / 12 : sum
      this.add('TIMESERIES', `RAIN1 0:${String(5 * k).padStart(2, '0')} ${value.toFixed(4)}`)
    }
    this.add('TIMESERIES', `RAIN1 1:00 ${kind === 'CUMULATIVE' ? sum.toFixed(4) : 0}`)
    const count = 1 + Math.floor(4 * this.random())
    const snow = this.isWanted(0.1, 'snow')
    for (let i = 0; i < count; i++) {
      const to = i > 0 && this.chance(0.2) ? `S${i - 1}` : this.pick(this.nodes)
      const area = this.between(0.1, 1.5) * (figures.us ? 0.2 : 1)
      const pack = snow ? ' PACK' : ''
      this.add(
        'SUBCATCHMENTS',
        `S${i} G1 ${to} ${area.toFixed(3)} ${this.between(5, 95)} ${this.between(20, 200)} ${this.between(0.2, 4)} 0${pack}`,
      )
      const route = this.pick(['OUTLET', 'OUTLET', 'IMPERVIOUS 40', 'PERVIOUS 60'])
      this.add('SUBAREAS', `S${i} 0.013 0.2 ${1.2 * rain} ${4 * rain} 25 ${route}`)
      this.add('INFILTRATION', `S${i} ${METHODS[method](rain)}`)
    }
    if (snow) this.snow()
    this.maybe(0.25, 'lid', () => this.measures(count))
    this.maybe(0.15, 'groundwater', () => this.groundwater(count))
    this.maybe(0.2, 'rdii', () => this.rdii())
    this.maybe(0.1, 'adjustments', () => {
      this.add('ADJUSTMENTS', 'RAINFALL 1.2 1 1 1 1 1 1 1 1 1 1 1')
      this.add('ADJUSTMENTS', `EVAPORATION 0.1 0 0 0 0 0 0 0 0 0 0 0`)
    })
    Object.assign(this.options, { WET_STEP: '00:01:00', DRY_STEP: '00:05:00' })
  }

  private measures(count: number) {
    const r = this.rain
    this.add('LID_CONTROLS', 'BC1 BC')
    this.add('LID_CONTROLS', `BC1 SURFACE ${150 * r} 0.1 0.1 1 5`)
    this.add('LID_CONTROLS', `BC1 SOIL ${600 * r} 0.5 0.2 0.1 ${50 * r} 10 ${80 * r}`)
    this.add('LID_CONTROLS', `BC1 STORAGE ${300 * r} 0.75 ${12 * r} 0`)
    this.add('LID_CONTROLS', 'BC1 DRAIN 1 0.5 0 6 0 0')
    this.add('LID_CONTROLS', 'RB1 RB')
    this.add('LID_CONTROLS', `RB1 STORAGE ${1000 * r} 0.75 0 0`)
    this.add('LID_CONTROLS', 'RB1 DRAIN 2 0.5 0 1 0 0')
    const area = this.figures.us ? 500 : 50
    for (let i = 0; i < count; i++)
      if (this.chance(0.7))
        this.add('LID_USAGE', `S${i} ${this.pick(['BC1', 'RB1'])} 2 ${area} 5 0 30 0 * * 0`)
  }

  private groundwater(count: number) {
    const r = this.rain
    this.add('AQUIFERS', `A1 0.5 0.15 0.3 ${5 * r} 10 15 0.35 14 0.002 0 3 0.3`)
    for (let i = 0; i < count; i++)
      this.add('GROUNDWATER', `S${i} A1 ${this.pick(this.nodes)} 20 0.1 1 0 0 0 0 *`)
  }

  private snow() {
    const t = this.figures.us ? [32, 20] : [0, -5]
    this.add('TEMPERATURE', 'TIMESERIES TEMP')
    this.add('TEMPERATURE', 'WINDSPEED MONTHLY 5 5 5 5 5 5 5 5 5 5 5 5')
    this.add('TEMPERATURE', `SNOWMELT ${t[0]} 0.5 0.6 0 50 0`)
    this.add('TEMPERATURE', 'ADC IMPERVIOUS 1 1 1 1 1 1 1 1 1 1')
    this.add('TEMPERATURE', 'ADC PERVIOUS 1 1 1 1 1 1 1 1 1 1')
    this.add('SNOWPACKS', `PACK PLOWABLE 0.001 0.001 ${t[0]} 0.1 0 0 0`)
    this.add('SNOWPACKS', `PACK IMPERVIOUS 0.001 0.001 ${t[0]} 0.1 0 0 0`)
    this.add('SNOWPACKS', `PACK PERVIOUS 0.001 0.001 ${t[0]} 0.1 0 0 0`)
    this.add('SNOWPACKS', 'PACK REMOVAL 1 0 0 0 0 0')
    this.add('TIMESERIES', `TEMP 0:00 ${t[1]} 1:00 ${t[0] + 10} 2:00 ${t[0] + 15}`)
  }

  private rdii() {
    this.add('HYDROGRAPHS', 'UH1 G1')
    this.add('HYDROGRAPHS', 'UH1 ALL SHORT 0.05 0.3 2 0 0 0')
    this.add('HYDROGRAPHS', 'UH1 ALL MEDIUM 0.05 1 2 0 0 0')
    for (const node of this.nodes)
      if (this.chance(0.3)) this.add('RDII', `${node} UH1 ${this.between(0.1, 2)}`)
    if (!this.sections.RDII) this.add('RDII', `${this.nodes[0]} UH1 1`)
  }

  private dryWeather() {
    this.add('PATTERNS', `JOUR HOURLY ${HOURS.slice(0, 6).join(' ')}`)
    for (let h = 6; h < 24; h += 6) this.add('PATTERNS', `JOUR ${HOURS.slice(h, h + 6).join(' ')}`)
    this.add('PATTERNS', 'SEMAINE DAILY 0.8 1 1 1.1 1 1 0.9')
    this.add('PATTERNS', `FIN WEEKEND ${HOURS.map((f) => 2 * f).join(' ')}`)
    this.add('PATTERNS', 'MOIS MONTHLY 1.2 1 1 1 1 1 1 1 1 1 1 1')
    for (const node of this.nodes) {
      if (!this.chance(0.5)) continue
      const patterns = this.pick(['', '"JOUR"', '"" "" "JOUR"', 'MOIS SEMAINE JOUR FIN', 'JOUR "" "" "MOIS"'])
      this.add('DWF', `${node} FLOW ${(this.between(1, 20) * this.figures.flow).toPrecision(4)} ${patterns}`)
    }
  }

  private evaporation() {
    const rate = (5 * this.rain).toFixed(3)
    const kind = this.pick([
      `CONSTANT ${rate}`,
      `MONTHLY ${Array.from({ length: 12 }, () => rate).join(' ')}`,
      'TIMESERIES EVAP',
    ])
    if (kind.endsWith('EVAP'))
      this.add('TIMESERIES', `EVAP 0:00 ${rate} 1:00 ${2 * Number(rate)} 3:00 ${rate}`)
    this.add('EVAPORATION', kind)
    this.add('EVAPORATION', `DRY_ONLY ${this.pick(['YES', 'NO'])}`)
  }

  private rules() {
    const links = Object.entries(this.base.kinds).filter(([, kind]) =>
      /^(PUMPS|ORIFICES|WEIRS|OUTLETS) /.test(kind),
    )
    const at = this.pick(this.nodes)
    links.forEach(([name, kind], i) => {
      const object = kind.split(' ')[0].slice(0, -1)
      const isPump = object === 'PUMP'
      const [on, off] = isPump ? ['STATUS = ON', 'STATUS = OFF'] : ['SETTING = 1', 'SETTING = 0.4']
      const premise = this.pick([
        `NODE ${at} DEPTH > ${this.between(0.2, 1)}`,
        `SIMULATION TIME > ${this.pick(['0:30', '0.75', '0:20:30'])}`,
        `NODE ${at} INFLOW >= ${(20 * this.figures.flow).toPrecision(3)}`,
        `SIMULATION CLOCKTIME < 13:45`,
        `LINK ${name} FLOW > ${(10 * this.figures.flow).toPrecision(3)}`,
        `SIMULATION MONTH = 1`,
      ])
      const join = this.pick(['', `AND NODE ${at} HEAD > 0\n`, 'OR SIMULATION TIME > 1:30\n'])
      this.add('CONTROLS', `RULE R${i}\nIF ${premise}\n${join}THEN ${object} ${name} ${on}`)
      this.add('CONTROLS', `ELSE ${object} ${name} ${off}\nPRIORITY ${i + 1}`)
    })
    if (links.length === 0) this.traits.pop()
  }

  /** Evaporation and infiltration of storage nodes. */
  private tankLosses() {
    const ksat = 100 * this.rain
    this.edit('STORAGE', (line) => {
      const words = line.split(' ')
      const end = words.length
      words[end - 1] = '1'
      return this.pick([
        `${words.join(' ')} ${ksat}`,
        `${words.join(' ')} ${80 * this.rain} ${ksat} 0.3`,
        words.join(' '),
      ])
    })
  }

  private conduitSeepage() {
    for (const [name, kind] of Object.entries(this.base.kinds))
      if (/ offsets /.test(kind) && !/losses|gate YES/.test(kind) && this.chance(0.3))
        this.add('LOSSES', `${name} 0 0 0 NO ${100 * this.rain}`)
  }

  private quality() {
    this.add('POLLUTANTS', 'TSS MG/L 10 0 0 0.2 NO * 0 5 0')
    this.add('POLLUTANTS', 'BACT #/L 0 0 0 0 NO TSS 0.5 0 0')
    this.add('INFLOWS', `${this.nodes[0]} TSS "" CONCEN 1 1 20`)
    this.add('DWF', `${this.nodes[0]} TSS 30 ""`)
    this.add('TREATMENT', `${this.nodes[0]} TSS R = 0.2`)
    if (!this.sections.SUBCATCHMENTS) return
    this.add('LANDUSES', 'RES 7 0.5 1')
    this.add('COVERAGES', 'S0 RES 60')
    this.add('BUILDUP', 'RES TSS POW 10 1 0.5 AREA')
    this.add('WASHOFF', 'RES TSS EXP 0.1 1.2 0 0')
    this.add('LOADINGS', 'S0 TSS 2')
  }

  private tidal() {
    const z = Number(/^O0 (\S+)/m.exec(this.base.inp)?.[1] ?? 0)
    this.edit('OUTFALLS', (line) => (line.startsWith('O0 ') ? `O0 ${z} TIDAL MAREE YES` : line))
    this.add('CURVES', `MAREE TIDAL 0 ${z}`)
    for (const [h, up] of [
      [1, 0.6],
      [2, 0.2],
      [14, 0.8],
      [23, 0],
    ])
      this.add('CURVES', `MAREE ${h} ${(z + up).toFixed(3)}`)
  }

  /** A junction of two ways onwards becomes a divider, which under dynamic waves is none. */
  private divider() {
    const at = this.nodes.find((node) => this.base.kinds[node].startsWith('junction') && node !== 'N0')
    const link = Object.keys(this.base.kinds).find((name) => name.startsWith(`L${at?.slice(1)}_`))
    if (!at || !link) return
    this.edit('JUNCTIONS', (line) => {
      if (!line.startsWith(`${at} `)) return line
      const [name, invert, ...rest] = line.split(' ')
      this.add('DIVIDERS', `${name} ${invert} ${link} CUTOFF ${this.figures.flow} ${rest.join(' ')}`)
      return ''
    })
  }

  private elevations() {
    const invert = new Map(
      [...this.base.inp.matchAll(/^([NO]\d+) (-?[\d.]+)/gm)].map(([, name, z]) => [name, Number(z)]),
    )
    this.options.LINK_OFFSETS = 'ELEVATION'
    const level = (node: string, offset: string) =>
      Number(offset) === 0 && this.chance(0.5) ? '*' : (Number(offset) + (invert.get(node) ?? 0)).toFixed(3)
    this.edit('CONDUITS', (line) => {
      const words = line.split(' ')
      words[5] = level(words[1], words[5])
      words[6] = level(words[2], words[6])
      return words.join(' ')
    })
    for (const section of ['ORIFICES', 'WEIRS', 'OUTLETS'])
      this.edit(section, (line) => {
        const words = line.split(' ')
        const at = section === 'OUTLETS' ? 3 : 4
        words[at] = level(words[1], words[at])
        return words.join(' ')
      })
  }

  /** Changes the lines of a section of the network. */
  private edit(section: string, change: (line: string) => string) {
    let inside = false
    this.base.inp = this.base.inp
      .split('\n')
      .map((line) => {
        if (line.startsWith('[')) inside = line === `[${section}]`
        else if (inside && line !== '') return change(line)
        return line
      })
      .join('\n')
  }

  private add(section: string, line: string) {
    this.sections[section] = [...(this.sections[section] ?? []), line]
  }

  private isWanted(share: number, trait: string): boolean {
    const drawn = this.chance(share) && !this.without.has(trait)
    if (drawn) this.traits.push(trait)
    return drawn
  }

  private maybe(share: number, trait: string, make: () => void) {
    if (this.isWanted(share, trait)) make()
  }

  private pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]
  }

  private between(low: number, high: number): number {
    return Number((low + (high - low) * this.random()).toFixed(3))
  }

  private chance(share: number): boolean {
    return this.random() < share
  }
}
