import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, named, read } from '../testing/inp-text.ts'

const options = (lines: string) => read({ OPTIONS: `END_TIME 1:00\n${lines}` })
const refuses = (line: string, code: string, ...words: string[]) =>
  expectRefusal(inp({ OPTIONS: `END_TIME 1:00\n${line}` }), code, line, ...words)
const utc = (...parts: [number, number, number, number?, number?, number?]) => Date.UTC(...parts) / 1000

test('what the file leaves out is as EPA SWMM 5.2 has it', () => {
  const { network, warnings } = options('')
  expect(network.options).toEqual({
    flowUnits: 'CFS',
    routing: 'DYNWAVE',
    startEpochS: utc(2004, 0, 1),
    durationS: 3600,
    reportStartS: 0,
    reportStepS: 900,
    routingStepS: 20,
    ruleStepS: 0,
    // By its engine, which the manual calls partial (a file without it runs as with FULL).
    inertialDamping: 'FULL',
    surchargeMethod: 'EXTRAN',
    normalFlowLimited: 'BOTH',
    forceMainEquation: 'H-W',
    // 12.566 ft2.
    minSurfaceAreaM2: expect.closeTo(1.16742, 5),
    minSlope: 0,
    allowPonding: false,
  })
  expect(warnings).toEqual([])
})

test('what it gives is taken, in any case of letters', () => {
  const { network } = options(`flow_units MLD
START_DATE 03/31/2024
Start_Time 23:30
END_DATE 04/01/2024
REPORT_START_DATE 04/01/2024
REPORT_START_TIME 0:15
REPORT_STEP 0:01:00
ROUTING_STEP 2.5
RULE_STEP 0:00:30
INERTIAL_DAMPING Full
SURCHARGE_METHOD SLOT
NORMAL_FLOW_LIMITED FROUDE
FORCE_MAIN_EQUATION D-W
MIN_SURFAREA 2
MIN_SLOPE 0.05
ALLOW_PONDING YES`)
  expect(network.options).toEqual({
    flowUnits: 'MLD',
    routing: 'DYNWAVE',
    startEpochS: utc(2024, 2, 31, 23, 30),
    durationS: 5400,
    reportStartS: 2700,
    reportStepS: 60,
    routingStepS: 2.5,
    ruleStepS: 30,
    inertialDamping: 'FULL',
    surchargeMethod: 'SLOT',
    normalFlowLimited: 'FROUDE',
    forceMainEquation: 'D-W',
    minSurfaceAreaM2: 2,
    minSlope: 0.0005,
    allowPonding: true,
  })
})

test.each([
  ['INERTIAL_DAMPING NONE', { inertialDamping: 'NONE' }],
  ['INERTIAL_DAMPING PARTIAL', { inertialDamping: 'PARTIAL' }],
  ['SURCHARGE_METHOD EXTRAN', { surchargeMethod: 'EXTRAN' }],
  ['FORCE_MAIN_EQUATION H-W', { forceMainEquation: 'H-W' }],
  ['NORMAL_FLOW_LIMITED SLOPE', { normalFlowLimited: 'SLOPE' }],
  ['NORMAL_FLOW_LIMITED BOTH', { normalFlowLimited: 'BOTH' }],
  ['NORMAL_FLOW_LIMITED NONE', { normalFlowLimited: 'NONE' }],
  // As versions before 5.1.13 wrote it: slope and Froude, or none.
  ['NORMAL_FLOW_LIMITED YES', { normalFlowLimited: 'BOTH' }],
  ['NORMAL_FLOW_LIMITED NO', { normalFlowLimited: 'NONE' }],
  ['ALLOW_PONDING NO', { allowPonding: false }],
  ['FLOW_ROUTING DYNWAVE', { routing: 'DYNWAVE' }],
  ['FLOW_ROUTING DW', { routing: 'DYNWAVE' }],
  ['IGNORE_ROUTING NO', { routing: 'DYNWAVE' }],
  // Of two lines the last holds.
  ['ALLOW_PONDING YES\nALLOW_PONDING NO', { allowPonding: false }],
])('%s', (line, wanted) => {
  expect(options(line).network.options).toMatchObject(wanted)
})

describe('areas of nodes', () => {
  test('are in ft2 in a file of US units', () => {
    expect(options('MIN_SURFAREA 10').network.options.minSurfaceAreaM2).toBeCloseTo(10 * FT ** 2, 12)
  })
  test('of 0 mean the default', () => {
    expect(options('MIN_SURFAREA 0').network.options.minSurfaceAreaM2).toBeCloseTo(12.566 * FT ** 2, 12)
  })
})

describe('steps', () => {
  test.each([
    ['REPORT_STEP 0:00:10', 'reportStepS', 10],
    ['RULE_STEP 0:05', 'ruleStepS', 300],
    ['RULE_STEP 0', 'ruleStepS', 0],
    ['ROUTING_STEP 0:00:05', 'routingStepS', 5],
    ['ROUTING_STEP 0.5', 'routingStepS', 0.5],
    // EPA SWMM takes a plain number for hours in these two, for seconds in ROUTING_STEP.
    ['REPORT_STEP 0.25', 'reportStepS', 900],
    ['RULE_STEP 0.5', 'ruleStepS', 1800],
  ] as const)('%s', (line, name, seconds) => {
    expect(options(line).network.options[name]).toBe(seconds)
  })
  test.each([
    ['REPORT_STEP 0:00:00', 'REPORT_STEP vaut « 0:00:00 » : écrivez hh:mm:ss ou des heures, plus que zéro.'],
    ['REPORT_STEP vite', '« vite »'],
    ['ROUTING_STEP 0', 'ROUTING_STEP vaut « 0 » : écrivez hh:mm:ss ou des secondes, plus que zéro.'],
    ['ROUTING_STEP -5', 'ROUTING_STEP vaut « -5 »'],
    ['ROUTING_STEP 0:xx', '« 0:xx »'],
    ['RULE_STEP -1', 'RULE_STEP vaut « -1 » : écrivez hh:mm:ss ou des heures.'],
    ['LENGTHENING_STEP -1', 'LENGTHENING_STEP vaut « -1 » : écrivez hh:mm:ss ou des secondes.'],
  ])('%s is refused', (line, message) => {
    refuses(line, 'time', message)
  })
  test('what is no number, or not there, is refused', () => {
    refuses('ROUTING_STEP vite', 'number', '« vite »', "l'option ROUTING_STEP")
    refuses('ROUTING_STEP', 'missing', "l'option ROUTING_STEP")
  })
})

describe('the period', () => {
  test('starts at 0:00 of its day, and its parts may be given alone', () => {
    expect(read({ OPTIONS: 'START_DATE 06/04/2024\nEND_DATE 06/06/2024' }).network.options).toMatchObject({
      startEpochS: utc(2024, 5, 4),
      durationS: 2 * 86400,
      reportStartS: 0,
    })
    expect(options('START_TIME 0:20').network.options).toMatchObject({
      startEpochS: utc(2004, 0, 1, 0, 20),
      durationS: 2400,
      reportStartS: 0,
    })
    expect(options('START_TIME 0:20\nREPORT_START_TIME 0:30').network.options.reportStartS).toBe(600)
  })
  test('knows AM and PM', () => {
    expect(read({ OPTIONS: 'START_TIME 6:00 AM\nEND_TIME 6:30 PM' }).network.options).toMatchObject({
      startEpochS: utc(2004, 0, 1, 6),
      durationS: 12.5 * 3600,
    })
  })
  test('has no report before its start', () => {
    expect(options('REPORT_START_DATE 12/31/2003').network.options.reportStartS).toBe(0)
  })
  test('that ends at its start or before is refused by the line of its end', () => {
    const says = ['finit avant de commencer', 'END_DATE']
    expectRefusal(inp({ OPTIONS: 'START_TIME 1:00\nEND_TIME 1:00' }), 'period', 'END_TIME', ...says)
    expectRefusal(
      inp({ OPTIONS: 'START_DATE 01/02/2004\nEND_DATE 01/01/2004' }),
      'period',
      'END_DATE',
      ...says,
    )
    expectRefusal(`[TITLE]\nx\n${inp({ OPTIONS: 'FLOW_UNITS LPS' })}`, 'period', 3, ...says)
    expectRefusal('[JUNCTIONS]\nJ1 1', 'period', 1, ...says)
  })
  test.each([
    ['START_DATE 2024-06-04', 'date', '« 2024-06-04 »', 'mois/jour/année'],
    ['START_TIME midi', 'time', '« midi »', "n'est pas une heure"],
    ['REPORT_START_TIME 1:2:3:4', 'time', '« 1:2:3:4 »'],
    ['START_DATE', 'missing', 'une date'],
    ['START_TIME', 'missing', 'une heure'],
  ])('%s is refused', (line, code, ...words) => {
    refuses(line, code, ...words)
  })
})

describe('offsets of links', () => {
  const offset = (line: string) =>
    named(
      read({
        OPTIONS: `FLOW_UNITS LPS\nEND_TIME 1:00\n${line}`,
        CONDUITS: 'C1 J1 J2 40 0.013 10.5 9\nC2 J2 O1 60 0.013 9 8',
      }).network.links,
      'C1',
    )
  test('are heights unless the file says elevations', () => {
    expect(offset('')).toMatchObject({ inOffsetM: 10.5, outOffsetM: 9 })
    expect(offset('LINK_OFFSETS DEPTH')).toMatchObject({ inOffsetM: 10.5, outOffsetM: 9 })
    expect(offset('LINK_OFFSETS ELEVATION')).toMatchObject({ inOffsetM: 0.5, outOffsetM: 0 })
  })
})

describe('what would change the flow and is not computed', () => {
  test.each(['KINWAVE', 'STEADY', 'KW', 'SF'])('FLOW_ROUTING %s runs as dynamic waves', (kind) => {
    expect(options(`FLOW_ROUTING ${kind}`).warnings).toEqual([
      `essai.inp, ligne 3 : FLOW_ROUTING ${kind} est calculé en onde dynamique : remous et mises en charge agissent, les débits diffèrent.`,
    ])
  })
  test('IGNORE_ROUTING YES is told to have no effect', () => {
    expect(options('IGNORE_ROUTING YES').warnings).toEqual([
      'essai.inp, ligne 3 : IGNORE_ROUTING YES : le réseau est calculé tout de même.',
    ])
  })
  test('SKIP_STEADY_STATE YES is told to have no effect, NO is not', () => {
    expect(options('SKIP_STEADY_STATE YES').warnings).toEqual([
      'essai.inp, ligne 3 : SKIP_STEADY_STATE YES : chaque pas est calculé, en régime permanent aussi ; les débits sont ceux de NO.',
    ])
    expect(options('SKIP_STEADY_STATE NO\nSYS_FLOW_TOL 5').warnings).toEqual([])
  })
  test('an option that is not known', () => {
    // Nor taken for FLOW_ROUTING, and so read past.
    refuses('ROUTING_MODEL KINWAVE', 'option', '« ROUTING_MODEL »')
    refuses('ROUTING_STEPS 5', 'option', '« ROUTING_STEPS »', 'manuel de SWMM 5.2')
  })
  test.each([
    ['FLOW_UNITS M3S', "l'option FLOW_UNITS", 'CFS, GPM, MGD, CMS, LPS, MLD'],
    ['LINK_OFFSETS HEIGHT', "l'option LINK_OFFSETS", 'DEPTH, ELEVATION'],
    ['INERTIAL_DAMPING SOME', "l'option INERTIAL_DAMPING", 'NONE, PARTIAL, FULL'],
    ['ALLOW_PONDING 1', "l'option ALLOW_PONDING", 'YES, NO'],
  ])('%s has no such value', (line, ...words) => {
    refuses(line, 'keyword', ...words)
  })
  test('slopes and areas out of their bounds', () => {
    refuses('MIN_SLOPE 101', 'range', ': MIN_SLOPE de', '0 à 100')
    refuses('MIN_SURFAREA -1', 'range', ': MIN_SURFAREA de', '0 à 1000000')
  })
})

test('what a lengthening step would do is told in figures, unless it is 0', () => {
  expect(options('LENGTHENING_STEP 5').warnings).toEqual([
    expect.stringMatching(
      /ligne 3 : LENGTHENING_STEP : \d tronçon\(s\) sur 2 allongé\(s\), jusqu'à [\d.]+ fois environ/,
    ),
  ])
  expect(options('LENGTHENING_STEP 0').warnings).toEqual([])
})

test.each([
  'INFILTRATION HORTON',
  'SWEEP_START 1/1',
  'SWEEP_END 12/31',
  'DRY_DAYS 5',
  'WET_STEP 0:05',
  'DRY_STEP 1:00',
  'VARIABLE_STEP 0.75',
  'MINIMUM_STEP 0.5',
  'MAX_TRIALS 8',
  'HEAD_TOLERANCE 0.005',
  'SYS_FLOW_TOL 5',
  'LAT_FLOW_TOL 5',
  'THREADS 4',
  'TEMPDIR /tmp',
  'SKIP_STEADY_STATE NO',
  'IGNORE_RAINFALL YES',
  'IGNORE_SNOWMELT YES',
  'IGNORE_GROUNDWATER YES',
  'IGNORE_RDII YES',
  'IGNORE_QUALITY YES',
  'COMPATIBILITY 5',
  'SLOPE_WEIGHTING YES',
])('%s is without effect here and taken', (line) => {
  expect(options(line).network.options.durationS).toBe(3600)
})
