import { describe, expect, test } from 'vitest'
import { expectRefusal, FT, inp, read, US } from '../testing/inp-text.ts'

// Nodes J1, J2, O1, B1 and links C1, C2, P1, R1, W1, T1, in this order; feet and ft3/s.
const NETWORK = {
  OPTIONS: US,
  STORAGE: 'B1 9 4 0 FUNCTIONAL 100 0 0',
  PUMPS: 'P1 B1 J1 *',
  ORIFICES: 'R1 B1 J1 SIDE 0 0.65',
  WEIRS: 'W1 B1 J1 TRANSVERSE 0 3.3',
  OUTLETS: 'T1 B1 J1 0 FUNCTIONAL/DEPTH 1 0.5',
  '+XSECTIONS': 'R1 CIRCULAR 0.3\nW1 RECT_OPEN 1 1',
  CURVES: 'CC CONTROL 0 0 2 1\nPC PUMP1 0 1',
  TIMESERIES: 'TS 0 0 1 0.5',
}
const controls = (lines: string) => read({ ...NETWORK, CONTROLS: lines }).network.rules
const refuses = (lines: string, code: string, line: string, ...words: string[]) =>
  expectRefusal(inp({ ...NETWORK, CONTROLS: lines }), code, line, ...words)

const premise = (words: string) => controls(`RULE R\nIF ${words}\nTHEN PUMP P1 STATUS = ON`)[0].premises[0]
const refusesPremise = (words: string, code: string, ...says: string[]) =>
  refuses(`RULE R\nIF ${words}\nTHEN PUMP P1 STATUS = ON`, code, 'IF', ...says)
const setting = (words: string, condition = 'NODE B1 DEPTH > 1') =>
  controls(`RULE R\nIF ${condition}\nTHEN ${words}`)[0].thenActions[0]
const refusesAction = (words: string, code: string, ...says: string[]) =>
  refuses(`RULE R\nIF NODE B1 DEPTH > 1\nTHEN ${words}`, code, 'THEN', ...says)

describe('clauses', () => {
  test('come out in their order, with what they join, act and rank', () => {
    const rules = controls(`rule First
if NODE J1 DEPTH > 1
and NODE J2 DEPTH > 2
or NODE B1 DEPTH > 3
then PUMP P1 STATUS = OFF
and ORIFICE R1 SETTING = 0.25
else WEIR W1 SETTING = 0.5
and OUTLET T1 SETTING = 0.75
priority 2.5
RULE Second
IF NODE J1 DEPTH > 0
THEN PUMP P1 STATUS = ON
PRIORITY -1
RULE Third
IF NODE J1 DEPTH > 0
THEN PUMP P1 STATUS = ON`)
    expect(rules.map(({ name, priority }) => [name, priority])).toEqual([
      ['First', 2.5],
      ['Second', -1],
      ['Third', 0],
    ])
    const value = (link: number, value: number) => ({ link, setting: { type: 'value', value } })
    expect(rules[0].premises.map(({ join, left }) => [join, left])).toEqual([
      ['if', { type: 'attribute', target: { object: 'node', index: 0 }, attribute: 'DEPTH' }],
      ['and', { type: 'attribute', target: { object: 'node', index: 1 }, attribute: 'DEPTH' }],
      ['or', { type: 'attribute', target: { object: 'node', index: 3 }, attribute: 'DEPTH' }],
    ])
    expect(rules[0].thenActions).toEqual([value(2, 0), value(3, 0.25)])
    expect(rules[0].elseActions).toEqual([value(4, 0.5), value(5, 0.75)])
    expect(rules[1]).toMatchObject({ thenActions: [value(2, 1)], elseActions: [] })
  })

  const IF = 'IF NODE J1 DEPTH > 1'
  const THEN = 'THEN PUMP P1 STATUS = ON'
  const ELSE = 'ELSE PUMP P1 STATUS = OFF'
  test.each([
    [IF, IF],
    [`RULE R\n${IF}\nIF NODE J2 DEPTH > 1`, 'IF NODE J2'],
    [`RULE R\n${IF}\n${THEN}\nIF NODE J2 DEPTH > 1`, 'IF NODE J2'],
    ['RULE R\nAND NODE J1 DEPTH > 1', 'AND'],
    [`RULE R\nOR NODE J1 DEPTH > 1`, 'OR'],
    [`RULE R\n${THEN}`, 'THEN'],
    [`RULE R\n${IF}\n${THEN}\nTHEN PUMP P1 STATUS = OFF`, 'THEN PUMP P1 STATUS = OFF'],
    [`RULE R\n${IF}\n${THEN}\nOR PUMP P1 STATUS = OFF`, 'OR'],
    [`RULE R\n${ELSE}`, 'ELSE'],
    [`RULE R\n${IF}\n${ELSE}`, 'ELSE'],
    [`RULE R\n${IF}\n${THEN}\n${ELSE}\nELSE PUMP P1 STATUS = ON`, 'ELSE PUMP P1 STATUS = ON'],
    [`RULE R\n${IF}\n${THEN}\nPRIORITY 1\nAND PUMP P1 STATUS = ON`, 'AND'],
    [`RULE R\n${IF}\n${THEN}\nPRIORITY 1\nPRIORITY 2`, 'PRIORITY 2'],
    [`RULE R\nPRIORITY 1`, 'PRIORITY'],
    [`RULE R\n${IF}\nPRIORITY 1`, 'PRIORITY'],
    [`RULE R\n${IF}\n${THEN}\nSINON PUMP P1 STATUS = ON`, 'SINON'],
  ])('%s: out of place', (lines, line) => {
    refuses(lines, 'rule', line, `« ${line.split(' ')[0]} »`, 'pas sa place', 'RULE, IF, AND ou OR, THEN')
  })
  test.each(['RULE R', `RULE R\n${IF}`, `RULE R\n${IF}\nRULE S\n${IF}\n${THEN}`])(
    '%s: unfinished',
    (lines) => {
      refuses(lines, 'rule', 'RULE R', '« R »', 'Ajoutez IF et THEN')
    },
  )
  test('a rule without a name and a rank that is no number are refused', () => {
    refuses(`RULE\n${IF}\n${THEN}`, 'missing', 'RULE', 'un nom')
    refuses(`RULE R\n${IF}\n${THEN}\nPRIORITY x`, 'number', 'PRIORITY', 'la priorité')
  })
})

describe('what a condition compares', () => {
  test.each([
    ['NODE J2 DEPTH', 'node', 1, FT],
    ['NODE J2 MAXDEPTH', 'node', 1, FT],
    ['NODE J2 HEAD', 'node', 1, FT],
    ['NODE B1 VOLUME', 'node', 3, FT ** 3],
    ['NODE J1 INFLOW', 'node', 0, FT ** 3],
    ['LINK C2 FLOW', 'link', 1, FT ** 3],
    ['CONDUIT C1 FULLFLOW', 'link', 0, FT ** 3],
    ['CONDUIT C1 DEPTH', 'link', 0, FT],
    ['CONDUIT C1 FULLDEPTH', 'link', 0, FT],
    ['CONDUIT C1 LENGTH', 'link', 0, FT],
    ['CONDUIT C1 VELOCITY', 'link', 0, FT],
    ['CONDUIT C1 SLOPE', 'link', 0, 1],
    ['PUMP P1 SETTING', 'link', 2, 1],
    ['ORIFICE R1 SETTING', 'link', 3, 1],
    ['WEIR W1 FLOW', 'link', 4, FT ** 3],
    ['OUTLET T1 FLOW', 'link', 5, FT ** 3],
  ])('%s, by the number of its object and in SI', (words, object, index, unit) => {
    expect(premise(`${words} > 3`)).toEqual({
      join: 'if',
      left: { type: 'attribute', target: { object, index }, attribute: words.split(' ')[2] },
      relation: '>',
      right: { type: 'value', value: expect.closeTo(3 * unit, 12) },
    })
  })
  test.each([
    ['SIMULATION TIME > 1.5', 'TIME', 5400],
    ['SIMULATION TIME > 0:30:10', 'TIME', 1810],
    ['SIMULATION CLOCKTIME > 6:30 PM', 'CLOCKTIME', 66600],
    ['SIMULATION CLOCKTIME > 6:30', 'CLOCKTIME', 23400],
    ['PUMP P1 TIMEOPEN > 2', 'TIMEOPEN', 7200],
    ['PUMP P1 TIMECLOSED > 0:01', 'TIMECLOSED', 60],
    ['SIMULATION DATE > 01/02/1970', 'DATE', 1],
    ['SIMULATION DAY > 7', 'DAY', 7],
    ['SIMULATION MONTH > 12', 'MONTH', 12],
    ['SIMULATION DAYOFYEAR > 365', 'DAYOFYEAR', 365],
    ['SIMULATION DAYOFYEAR > 1/1', 'DAYOFYEAR', 1],
    ['SIMULATION DAYOFYEAR > 3/1', 'DAYOFYEAR', 60],
    ['SIMULATION DAYOFYEAR > Dec-31', 'DAYOFYEAR', 365],
    ['PUMP P1 STATUS > ON', 'STATUS', 1],
    ['PUMP P1 STATUS > off', 'STATUS', 0],
    ['CONDUIT C1 STATUS > OPEN', 'STATUS', 1],
    ['CONDUIT C1 STATUS > CLOSED', 'STATUS', 0],
  ])('%s', (words, attribute, value) => {
    expect(premise(words)).toMatchObject({ left: { attribute }, right: { type: 'value', value } })
  })
  test('a level may be below the datum', () => {
    expect(premise('NODE J1 HEAD > -2').right).toEqual({ type: 'value', value: expect.closeTo(-2 * FT, 12) })
  })
  test('the clock belongs to the simulation', () => {
    expect(premise('SIMULATION TIME > 1').left).toEqual({
      type: 'attribute',
      target: { object: 'simulation' },
      attribute: 'TIME',
    })
  })
  test.each(['=', '<>', '<', '<=', '>', '>='] as const)('%s', (relation) => {
    expect(premise(`NODE J1 DEPTH ${relation} 1`).relation).toBe(relation)
  })
  test('another quantity, in any case, or a named one', () => {
    const right = { type: 'attribute', target: { object: 'link', index: 1 }, attribute: 'FLOW' }
    expect(premise('CONDUIT C1 FLOW > conduit c2 flow').right).toEqual(right)
    const [rule] = controls(
      'VARIABLE A = CONDUIT C1 FLOW\nVARIABLE B = CONDUIT C2 FLOW\nRULE R\nIF A > B\nTHEN PUMP P1 STATUS = ON',
    )
    expect(rule.premises[0]).toEqual({
      join: 'if',
      left: { type: 'attribute', target: { object: 'link', index: 0 }, attribute: 'FLOW' },
      relation: '>',
      right,
    })
  })
  test.each([
    ['NODE J9 DEPTH > 1', 'rule', 'NODE « J9 »'],
    ['CONDUIT J1 FLOW > 1', 'rule', 'CONDUIT « J1 »'],
    ['NODE J1 FLOW > 1', 'keyword', 'une grandeur', 'MAXDEPTH'],
    ['CONDUIT C1 HEAD > 1', 'keyword', 'une grandeur', 'FULLFLOW'],
    ['SIMULATION DEPTH > 1', 'keyword', 'une grandeur', 'DAYOFYEAR'],
    ['REGARD J1 DEPTH > 1', 'keyword', 'un objet', 'GAGE, NODE, LINK'],
    ['GAGE G INTENSITY > 1', 'rule', 'GAGE', 'hauteur ou un débit'],
    ['NODE', 'missing', 'un nom'],
    ['NODE J1', 'missing', 'une grandeur'],
    ['NODE J1 DEPTH', 'rule', '«  » ', 'comparaison'],
    ['NODE J1 DEPTH => 1', 'rule', '« => »', '=, <>, <, <=, > ou >='],
    ['NODE J1 DEPTH >', 'missing', 'une valeur'],
    ['NODE J1 DEPTH > haut', 'number', '« haut »', 'une valeur'],
    ['PUMP P1 STATUS = 1', 'rule', '« 1 »', 'STATUS'],
    ['SIMULATION TIME > tard', 'rule', '« tard »', 'TIME'],
    ['SIMULATION DATE > 31/12/2004', 'rule', '« 31/12/2004 »', 'DATE'],
    ['SIMULATION DAYOFYEAR > 2/29', 'rule', '« 2/29 »', 'DAYOFYEAR'],
    ['SIMULATION DAYOFYEAR > 366', 'range', 'DAYOFYEAR', '1 à 365'],
    ['SIMULATION DAY > 8', 'range', 'DAY', '1 à 7'],
    ['SIMULATION MONTH > 0', 'range', 'MONTH', '1 à 12'],
  ])('%s is refused', (words, code, ...says) => {
    refusesPremise(words, code, ...says)
  })
})

describe('what an action sets', () => {
  const condition = { link: 2, setting: { type: 'value', value: 1 } }
  test('a status, of the link by its kind or as a link', () => {
    expect(setting('PUMP P1 STATUS = ON')).toEqual(condition)
    expect(setting('LINK P1 STATUS = open')).toEqual(condition)
    expect(setting('CONDUIT C1 STATUS = CLOSED')).toEqual({ link: 0, setting: { type: 'value', value: 0 } })
    expect(setting('PUMP P1 STATUS = off')).toEqual({ link: 2, setting: { type: 'value', value: 0 } })
  })
  test('a number: an opening from 0 to 1, or the speed of a pump', () => {
    expect(setting('ORIFICE R1 SETTING = 1')).toEqual({ link: 3, setting: { type: 'value', value: 1 } })
    expect(setting('PUMP P1 SETTING = 1.5')).toEqual({ link: 2, setting: { type: 'value', value: 1.5 } })
    refusesAction('WEIR W1 SETTING = 1.01', 'range', 'le réglage', '0 à 1')
    refusesAction('PUMP P1 SETTING = 1001', 'range', 'le réglage', '0 à 1000')
    refusesAction('PUMP P1 SETTING = -1', 'range', 'le réglage')
  })
  test('a curve over what the last condition compares, in SI', () => {
    const curve = (x: number[]) => ({
      link: 4,
      setting: { type: 'curve', curve: { name: 'CC', x, y: [0, 1] } },
    })
    expect(setting('WEIR W1 SETTING = CURVE CC')).toEqual(curve([0, 2 * FT]))
    expect(setting('WEIR W1 SETTING = curve CC', 'NODE B1 DEPTH > 1\nAND CONDUIT C1 FLOW > 1')).toEqual(
      curve([0, expect.closeTo(2 * FT ** 3, 12) as unknown as number]),
    )
    // Days, as EPA SWMM has it, though the condition beside it is in hours.
    for (const time of ['PUMP P1 TIMEOPEN', 'PUMP P1 TIMECLOSED', 'SIMULATION TIME', 'SIMULATION CLOCKTIME'])
      expect(setting('WEIR W1 SETTING = CURVE CC', `${time} > 1`)).toEqual(curve([0, 2 * 86_400]))
    const [rule] = controls('EXPRESSION E = 1\nRULE R\nIF E > 0\nTHEN WEIR W1 SETTING = CURVE CC')
    expect(rule.thenActions[0]).toEqual(curve([0, 2]))
  })
  test('a time series as it stands, and a PID controller', () => {
    expect(setting('WEIR W1 SETTING = TIMESERIES TS').setting).toEqual({
      type: 'series',
      series: { name: 'TS', timesS: [0, 3600], values: [0, 0.5] },
    })
    expect(setting('ORIFICE R1 SETTING = PID 10 -2 0.5')).toEqual({
      link: 3,
      setting: { type: 'pid', kp: 10, ki: -2, kd: 0.5 },
    })
  })
  test.each([
    ['NODE J1 SETTING = 1', 'keyword', 'un lien', 'LINK, CONDUIT, PUMP, ORIFICE, WEIR, OUTLET'],
    ['PUMP', 'missing', 'un nom'],
    ['PUMP P9 STATUS = ON', 'rule', 'PUMP « P9 »', "n'existe pas"],
    ['PUMP R1 STATUS = ON', 'rule', 'PUMP « R1 »'],
    ['LINK P9 STATUS = ON', 'rule', 'LINK « P9 »'],
    ['PUMP P1 FLOW = 1', 'keyword', 'STATUS ou SETTING'],
    ['PUMP P1 STATUS ON', 'rule', '« STATUS = valeur » pour « P1 »'],
    ['PUMP P1 STATUS =', 'missing', 'une valeur'],
    ['PUMP P1 STATUS = marche', 'rule', '« marche »', 'ni ON, ni OFF, ni OPEN, ni CLOSED'],
    ['WEIR W1 SETTING = CURVE', 'missing', 'une courbe'],
    ['WEIR W1 SETTING = TIMESERIES TX', 'rule', '« TX »', '[TIMESERIES]'],
    ['WEIR W1 SETTING = TIMESERIES', 'missing', 'une série'],
    ['WEIR W1 SETTING = PID', 'missing', 'le gain'],
    ['WEIR W1 SETTING = PID 1', 'missing', "le temps d'intégration"],
    ['WEIR W1 SETTING = PID 1 1', 'missing', 'le temps de dérivation'],
  ])('%s is refused', (words, code, ...says) => {
    refusesAction(words, code, ...says)
  })
})

describe('formulas', () => {
  /** In reverse Polish order, one word a token. */
  const polish = (formula: string) => {
    const [rule] = controls(
      `VARIABLE h = NODE B1 DEPTH\nVARIABLE Q_1 = CONDUIT C1 FLOW\nEXPRESSION E = ${formula}\nRULE R\nIF E > 2\nTHEN PUMP P1 STATUS = ON`,
    )
    const { left, right } = rule.premises[0]
    if (left.type !== 'expression') throw new Error('no formula')
    // What a formula is compared with has no unit.
    expect(right).toEqual({ type: 'value', value: 2 })
    return left.tokens
      .map((token) => {
        if (token.type === 'value') return token.value
        if (token.type === 'attribute') return token.attribute
        if (token.type === 'operator') return token.operator
        expect(token.type).toBe('function')
        return `${token.name}()`
      })
      .join(' ')
  }
  test.each([
    ['1', '1'],
    ['h', 'DEPTH'],
    ['h + 1', 'DEPTH 1 +'],
    ['1+2*3', '1 2 3 * +'],
    ['1*2+3', '1 2 * 3 +'],
    ['(1+2)*3', '1 2 + 3 *'],
    ['8 - 4 - 2', '8 4 - 2 -'],
    ['8 / 4 * 2', '8 4 / 2 *'],
    ['2 ^ 3 ^ 2', '2 3 2 ^ ^'],
    ['2 * 3 ^ 2 + 1', '2 3 2 ^ * 1 +'],
    ['-h', 'DEPTH neg()'],
    ['+h', 'DEPTH'],
    ['-h ^ 2', 'DEPTH 2 ^ neg()'],
    ['-(h) ^ 2', 'DEPTH 2 ^ neg()'],
    ['-h * 2', 'DEPTH neg() 2 *'],
    ['-h + 2', 'DEPTH neg() 2 +'],
    ['2 - -h', '2 DEPTH neg() -'],
    ['2 ^ -h', '2 DEPTH neg() ^'],
    ['2 * (-h - 1)', '2 DEPTH neg() 1 - *'],
    ['- - h', 'DEPTH neg() neg()'],
    ['1.5e2 + .25 + 2.E-1', '150 0.25 + 0.2 +'],
    ['12.75', '12.75'],
    ['12 - 345', '12 345 -'],
    ['1e10', '10000000000'],
    ['sqrt(h)', 'DEPTH sqrt()'],
    ['SQRT(h + 1) * 2', 'DEPTH 1 + sqrt() 2 *'],
    ['2 * exp(-(h)) / 3', '2 DEPTH neg() exp() * 3 /'],
    ['abs(sin(1) - 2)', '1 sin() 2 - abs()'],
    ['2 ^ sgn(h)', '2 DEPTH sgn() ^'],
    ['((h))', 'DEPTH'],
    ['h*Q_1', 'DEPTH FLOW *'],
  ])('%s', (formula, tokens) => {
    expect(polish(formula)).toBe(tokens)
  })
  test.each([
    'abs',
    'sgn',
    'step',
    'sqrt',
    'log',
    'log10',
    'exp',
    'sin',
    'cos',
    'tan',
    'cot',
    'asin',
    'acos',
    'atan',
    'acot',
    'sinh',
    'cosh',
    'tanh',
    'coth',
  ])('%s is a function', (name) => {
    expect(polish(`${name}(1) + 1`)).toBe(`1 ${name}() 1 +`)
  })
  test('quantities come in the units of the file', () => {
    const [rule] = controls(
      'VARIABLE H = NODE B1 VOLUME\nEXPRESSION E = H + 1\nRULE R\nIF E > 2\nTHEN PUMP P1 STATUS = ON',
    )
    expect(rule.premises[0].left).toEqual({
      type: 'expression',
      tokens: [
        {
          type: 'attribute',
          target: { object: 'node', index: 3 },
          attribute: 'VOLUME',
          unit: expect.closeTo(1 / FT ** 3, 9),
        },
        { type: 'value', value: 1 },
        { type: 'operator', operator: '+' },
      ],
    })
  })
  test.each(['SIMULATION TIME', 'SIMULATION CLOCKTIME', 'PUMP P1 TIMEOPEN', 'PUMP P1 TIMECLOSED'])(
    '%s comes in days, as EPA SWMM has it',
    (time) => {
      const [rule] = controls(
        `VARIABLE T = ${time}\nEXPRESSION E = T\nRULE R\nIF E > 0.1\nTHEN PUMP P1 STATUS = ON`,
      )
      const { left, right } = rule.premises[0]
      expect(left).toMatchObject({ type: 'expression', tokens: [{ unit: 1 / 86_400 }] })
      expect(right).toEqual({ type: 'value', value: 0.1 })
    },
  )
  test.each(['H', 'NODE B1 DEPTH'])(
    'a quantity beside a formula (%s) comes in the units of the file too',
    (other) => {
      const [rule] = controls(
        `VARIABLE H = NODE B1 DEPTH\nEXPRESSION E = H * 2\nRULE R\nIF E > ${other}\nTHEN PUMP P1 STATUS = ON`,
      )
      const token = {
        type: 'attribute',
        target: { object: 'node', index: 3 },
        attribute: 'DEPTH',
        unit: 1 / FT,
      }
      expect(rule.premises[0].right).toEqual({ type: 'expression', tokens: [token] })
    },
  )
  test.each([
    ['', ''],
    ['1 +', '+'],
    ['* 1', '*'],
    ['1 2', '2'],
    ['1 h', 'h'],
    ['h h', 'h'],
    ['1 (2)', '('],
    ['(1', '('],
    ['1)', ')'],
    ['()', ')'],
    ['(1 +)', ')'],
    ['(1 +) 2', ')'],
    ['1 + x', 'x'],
    ['1 ! 2', '!'],
    ['1 + .', '.'],
    ['neg(1)', 'neg'],
    ['1 * / 2', '/'],
    ['sqrt', 'sqrt'],
  ])('%s cannot be read', (formula, at) => {
    refuses(
      `VARIABLE h = NODE B1 DEPTH\nEXPRESSION E = ${formula}`,
      'rule',
      'EXPRESSION',
      `la formule « ${formula} » est illisible à « ${at} »`,
    )
  })
  test('variables and formulas need a name and an equals sign', () => {
    refuses('VARIABLE', 'missing', 'VARIABLE', 'un nom')
    refuses('VARIABLE H NODE J1 DEPTH', 'rule', 'VARIABLE', 'VARIABLE H = NODE nom DEPTH')
    refuses('EXPRESSION', 'missing', 'EXPRESSION', 'un nom')
    refuses('EXPRESSION E 1', 'rule', 'EXPRESSION', 'EXPRESSION E = formule')
    refuses('variable H = NODE J9 DEPTH', 'rule', 'variable', '« J9 »')
  })
})
