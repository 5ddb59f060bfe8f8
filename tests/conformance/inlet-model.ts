import { numbers } from './runoff-model.ts'

const GRATES = ['P_BAR-50', 'P_BAR-30', 'CURVED_VANE', 'TILT_BAR-45', 'TILT_BAR-30', 'RETICULINE']

/**
 * Streets drawn at random, each with inlets of its own kind into a pipe of its own, and a wave of water down each: grates in plane and
 * depressed gutters, kerb openings, both together, slots, drops in channels and custom curves, on grade and in sags. Metric.
 */
export function randomInletModel(seed: number): string {
  const random = numbers(seed)
  const at = (low: number, high: number) => (low + random() * (high - low)).toFixed(3)
  const kinds: { inlet: string; channel?: string; depressed?: boolean; sag?: boolean }[] = [
    ...GRATES.map((grate, k) => ({
      inlet: `GRATE ${at(0.4, 1.2)} ${at(0.3, 0.6)} ${grate}`,
      depressed: k % 2 === 1,
    })),
    { inlet: `GRATE ${at(0.5, 1)} ${at(0.3, 0.6)} GENERIC ${at(0.3, 0.9)} ${at(0.3, 1.5)}` },
    { inlet: `CURB ${at(1, 4)} ${at(0.1, 0.2)} HORIZONTAL` },
    { inlet: `CURB ${at(1, 4)} ${at(0.1, 0.2)} VERTICAL` },
    { inlet: `SLOTTED ${at(1, 5)} ${at(0.03, 0.08)}` },
    { inlet: 'CUSTOM TAKES' },
    { inlet: `GRATE ${at(0.5, 1)} ${at(0.3, 0.6)} P_BAR-50`, sag: true },
    { inlet: `CURB ${at(1, 3)} ${at(0.1, 0.2)} VERTICAL`, sag: true },
    { inlet: `SLOTTED ${at(1, 5)} ${at(0.03, 0.08)}`, sag: true },
    { inlet: `DROP_GRATE ${at(0.5, 1)} ${at(0.5, 1)} P_BAR-50`, channel: `RECT_OPEN 1 ${at(0.8, 1.5)} 0 0` },
    { inlet: `DROP_CURB ${at(0.5, 1)} ${at(0.1, 0.3)}`, channel: `TRAPEZOIDAL 1 ${at(0.5, 1.5)} 2 2` },
  ]
  const lines = {
    streets: '',
    inlets: '',
    usage: '',
    junctions: '',
    outfalls: '',
    conduits: '',
    sections: '',
    inflows: '',
    series: '',
  }
  kinds.forEach(({ inlet, channel, depressed, sag }, k) => {
    const peak = Number(at(0.02, 0.12))
    lines.streets += `S${k} ${at(4, 7)} 0.2 ${at(1.5, 4)} 0.016 ${depressed ? at(0.03, 0.06) : 0} ${depressed ? 0.6 : 0} 1\n`
    lines.inlets += `I${k} ${inlet}\n`
    const limit = random() < 0.3 ? at(0.01, 0.03) : 0
    lines.usage += `A${k} I${k} P${k} ${1 + Math.floor(random() * 2)} ${random() < 0.4 ? at(10, 40) : 0} ${limit} 0 0 ${sag ? 'ON_SAG' : 'ON_GRADE'}\n`
    const fall = Number(at(0.4, 3))
    lines.junctions += `U${k} ${10 + fall} 2\nD${k} 10 2\nP${k} 5 5\n`
    lines.outfalls += `O${k} ${10 - fall} FREE\nQ${k} 4 FREE\n`
    lines.conduits += `A${k} U${k} D${k} 100 0.016 0 0\nB${k} D${k} O${k} 100 0.016 0 0\nC${k} P${k} Q${k} 50 0.013 0 0\n`
    const section = channel ?? `STREET S${k}`
    lines.sections += `A${k} ${section}\nB${k} ${section}\nC${k} CIRCULAR 1 0 0 0\n`
    lines.inflows += `U${k} FLOW T${k} FLOW 1 1\n`
    lines.series += `T${k} 0:00 0.001 0:30 ${peak} 1:00 ${peak} 1:30 0.001\n`
  })
  return `[OPTIONS]
FLOW_UNITS CMS
FLOW_ROUTING DYNWAVE
START_DATE 06/01/2024
END_DATE 06/01/2024
END_TIME 02:00
REPORT_STEP 00:01:00
ROUTING_STEP 1
VARIABLE_STEP 0
INERTIAL_DAMPING PARTIAL
[STREETS]
${lines.streets}[INLETS]
${lines.inlets}[INLET_USAGE]
${lines.usage}[JUNCTIONS]
${lines.junctions}[OUTFALLS]
${lines.outfalls}[CONDUITS]
${lines.conduits}[XSECTIONS]
${lines.sections}[INFLOWS]
${lines.inflows}[CURVES]
TAKES DIVERSION 0 0 0.05 0.03 0.2 0.06
[TIMESERIES]
${lines.series}[REPORT]
NODES ALL
LINKS ALL
`
}
