import type {
  SewerAction,
  SewerExpressionToken,
  SewerLink,
  SewerObjectRef,
  SewerOperand,
  SewerPremise,
  SewerRule,
} from '@radx/contracts'
import { type InpContext, parseDate, parseTime } from './context.ts'
import { parseFormula } from './formula.ts'
import type { InpLine } from './lines.ts'
import { curveAt, type InpTables, scaleTable } from './nodes.ts'

const OBJECTS = [
  'GAGE',
  'NODE',
  'LINK',
  'CONDUIT',
  'PUMP',
  'ORIFICE',
  'WEIR',
  'OUTLET',
  'SIMULATION',
] as const
const NODE_ATTRIBUTES = ['DEPTH', 'MAXDEPTH', 'HEAD', 'VOLUME', 'INFLOW']
const LINK_ATTRIBUTES = [
  'FLOW',
  'FULLFLOW',
  'DEPTH',
  'FULLDEPTH',
  'STATUS',
  'SETTING',
  'LENGTH',
  'SLOPE',
  'VELOCITY',
  'TIMEOPEN',
  'TIMECLOSED',
]
/** Written in hours, or as `hours:minutes`, where a condition compares them. */
const TIMES = new Set(['TIME', 'CLOCKTIME', 'TIMEOPEN', 'TIMECLOSED'])
// Longer names first: a keyword is matched by its beginning.
const CLOCK_ATTRIBUTES = ['TIME', 'DATE', 'CLOCKTIME', 'DAYOFYEAR', 'DAY', 'MONTH']
const RELATIONS = ['=', '<>', '<', '<=', '>', '>='] as const

interface Variable {
  target: SewerObjectRef
  attribute: string
}

/** Control rules. Values come out in SI, times in seconds. */
export function readRules(context: InpContext, tables: InpTables, links: SewerLink[]): SewerRule[] {
  const reader = new RuleReader(context, tables, links)
  for (const line of context.lines('CONTROLS')) reader.take(line)
  return reader.finish()
}

class RuleReader {
  private readonly context: InpContext
  private readonly tables: InpTables
  private readonly links: SewerLink[]
  private readonly rules: SewerRule[] = []
  private readonly variables = new Map<string, Variable>()
  private readonly expressions = new Map<string, SewerExpressionToken[]>()
  private part: 'none' | 'rule' | 'if' | 'then' | 'else' | 'end' = 'none'
  /** Line on which each rule begins. */
  private readonly begins: number[] = []

  constructor(context: InpContext, tables: InpTables, links: SewerLink[]) {
    this.context = context
    this.tables = tables
    this.links = links
  }

  take(line: InpLine) {
    const word = line.words[0].toUpperCase()
    const rule = this.rules[this.rules.length - 1]
    if (word === 'VARIABLE') this.variable(line)
    else if (word === 'EXPRESSION') this.expression(line)
    else if (word === 'RULE') {
      this.rules.push({
        name: this.context.word(line, 1, 'un nom'),
        premises: [],
        thenActions: [],
        elseActions: [],
        priority: 0,
      })
      this.begins.push(line.number)
      this.part = 'rule'
    } else if (word === 'IF' && this.part === 'rule') {
      this.part = 'if'
      rule.premises.push(this.premise(line, 'if'))
    } else if ((word === 'AND' || word === 'OR') && this.part === 'if')
      rule.premises.push(this.premise(line, word === 'AND' ? 'and' : 'or'))
    else if (word === 'THEN' && this.part === 'if') {
      this.part = 'then'
      rule.thenActions.push(this.action(line, rule))
    } else if (word === 'ELSE' && this.part === 'then') {
      this.part = 'else'
      rule.elseActions.push(this.action(line, rule))
    } else if (word === 'AND' && this.part === 'then') rule.thenActions.push(this.action(line, rule))
    else if (word === 'AND' && this.part === 'else') rule.elseActions.push(this.action(line, rule))
    else if (word === 'PRIORITY' && (this.part === 'then' || this.part === 'else')) {
      rule.priority = this.context.number(line, 1, 'la priorité')
      this.part = 'end'
    } else
      throw this.context.fail(
        line,
        'rule',
        `« ${line.words[0]} » n'a pas sa place ici. Une règle s'écrit RULE, IF, AND ou OR, THEN, ELSE, PRIORITY, un terme par ligne.`,
      )
  }

  finish(): SewerRule[] {
    for (const [k, rule] of this.rules.entries())
      if (rule.thenActions.length === 0)
        throw this.context.fail(
          this.begins[k],
          'rule',
          `la règle « ${rule.name} » n'a pas de condition ou pas d'action. Ajoutez IF et THEN.`,
        )
    return this.rules
  }

  private variable(line: InpLine) {
    const name = this.context.word(line, 1, 'un nom')
    if (line.words[2] !== '=')
      throw this.context.fail(line, 'rule', `écrivez VARIABLE ${name} = NODE nom DEPTH.`)
    this.variables.set(name, this.quantity(line, 3).variable)
  }

  private expression(line: InpLine) {
    const name = this.context.word(line, 1, 'un nom')
    if (line.words[2] !== '=') throw this.context.fail(line, 'rule', `écrivez EXPRESSION ${name} = formule.`)
    const text = line.words.slice(3).join(' ')
    const tokens = parseFormula(text, {
      token: (word) => {
        const variable = this.variables.get(word)
        return variable && this.token(variable)
      },
      bad: (what) =>
        this.context.fail(line, 'rule', `la formule « ${text} » est illisible à « ${what} ». Corrigez-la.`),
    })
    this.expressions.set(name, tokens)
  }

  /** `NODE J1 DEPTH` and the like, from word `at`; `next` is the word after it. */
  private quantity(line: InpLine, at: number): { variable: Variable; next: number } {
    const named = this.variables.get(line.words[at])
    if (named) return { variable: named, next: at + 1 }
    const { context } = this
    const object = context.keyword(line, at, 'un objet', OBJECTS)
    if (object === 'GAGE')
      throw context.fail(
        line,
        'rule',
        "une règle dépend d'un pluviographe (GAGE), que RadX ne lit pas. Remplacez cette condition par une hauteur ou un débit.",
      )
    if (object === 'SIMULATION')
      return {
        variable: {
          target: { object: 'simulation' },
          attribute: this.attribute(line, at + 1, CLOCK_ATTRIBUTES),
        },
        next: at + 2,
      }
    const name = context.word(line, at + 1, 'un nom')
    const node = object === 'NODE'
    const index = node ? context.nodeIndex.find(name) : context.linkIndex.find(name)
    if (index < 0)
      throw context.fail(
        line,
        'rule',
        `la règle parle de ${object} « ${name} », qui n'existe pas. Corrigez le nom.`,
      )
    const attribute = this.attribute(line, at + 2, node ? NODE_ATTRIBUTES : LINK_ATTRIBUTES)
    return { variable: { target: { object: node ? 'node' : 'link', index }, attribute }, next: at + 3 }
  }

  private attribute(line: InpLine, at: number, known: string[]): string {
    return this.context.keyword(line, at, 'une grandeur', known)
  }

  /** Unit of a quantity in formulas and control curves, in SI: the file's own, days for times. */
  private unit({ attribute }: Variable): number {
    const { length, volume, flowFactor } = this.context.units
    if (['DEPTH', 'MAXDEPTH', 'HEAD', 'FULLDEPTH', 'LENGTH', 'VELOCITY'].includes(attribute)) return length
    if (attribute === 'VOLUME') return volume
    if (['FLOW', 'INFLOW', 'FULLFLOW'].includes(attribute)) return flowFactor
    return TIMES.has(attribute) ? 86_400 : 1
  }

  private premise(line: InpLine, join: SewerPremise['join']): SewerPremise {
    const { context } = this
    const tokens = this.expressions.get(line.words[1])
    let left: SewerOperand
    let next: number
    let variable: Variable | null = null
    if (tokens) {
      left = { type: 'expression', tokens }
      next = 2
    } else {
      const read = this.quantity(line, 1)
      variable = read.variable
      next = read.next
      left = { type: 'attribute', ...variable }
    }
    const relation = RELATIONS.find((sign) => sign === line.words[next])
    if (!relation)
      throw context.fail(
        line,
        'rule',
        `« ${line.words[next] ?? ''} » n'est pas une comparaison. Écrivez =, <>, <, <=, > ou >=.`,
      )
    const word = context.word(line, next + 1, 'une valeur')
    const isQuantity = this.variables.has(word) || OBJECTS.some((object) => object === word.toUpperCase())
    const right: SewerOperand = isQuantity
      ? this.beside(left, this.quantity(line, next + 1).variable)
      : { type: 'value', value: this.value(line, next + 1, variable) }
    return { join, left, relation, right }
  }

  /** A quantity that is compared with `left`: with a formula in the formula's units. */
  private beside(left: SewerOperand, variable: Variable): SewerOperand {
    return left.type === 'expression'
      ? { type: 'expression', tokens: [this.token(variable)] }
      : { type: 'attribute', ...variable }
  }

  private token(variable: Variable): SewerExpressionToken {
    return { type: 'attribute', ...variable, unit: 1 / this.unit(variable) }
  }

  private value(line: InpLine, at: number, variable: Variable | null): number {
    const { context } = this
    const word = line.words[at]
    const attribute = variable?.attribute ?? ''
    const wrong = () =>
      context.fail(line, 'rule', `« ${word} » ne convient pas à ${attribute}. Corrigez cette valeur.`)
    if (attribute === 'STATUS') {
      const state = ['OFF', 'ON', 'CLOSED', 'OPEN'].indexOf(word.toUpperCase())
      if (state < 0) throw wrong()
      return state % 2
    }
    if (TIMES.has(attribute)) {
      const seconds = parseTime(word, line.words[at + 1])
      if (Number.isNaN(seconds)) throw wrong()
      return seconds
    }
    if (attribute === 'DATE') {
      const date = parseDate(word)
      if (Number.isNaN(date)) throw wrong()
      return date / 86400
    }
    if (attribute === 'DAYOFYEAR' && /[/-]/.test(word)) {
      const date = parseDate(`${word}/1947`)
      if (Number.isNaN(date)) throw wrong()
      return Math.round((date - Date.UTC(1947, 0, 1) / 1000) / 86400) + 1
    }
    const last = { DAY: 7, MONTH: 12, DAYOFYEAR: 365 }[attribute]
    if (last) return context.within(line, at, attribute, 1, last)
    return context.number(line, at, 'une valeur') * (variable ? this.unit(variable) : 1)
  }

  private action(line: InpLine, rule: SewerRule): SewerAction {
    const { context } = this
    const object = context.keyword(line, 1, 'un lien', [
      'LINK',
      'CONDUIT',
      'PUMP',
      'ORIFICE',
      'WEIR',
      'OUTLET',
    ] as const)
    const index = context.linkIndex.find(context.word(line, 2, 'un nom'))
    const link = this.links[index]
    if (!link || (object !== 'LINK' && link.kind !== object.toLowerCase()))
      throw context.fail(
        line,
        'rule',
        `la règle commande ${object} « ${line.words[2]} », qui n'existe pas. Corrigez le nom.`,
      )
    const attribute = context.keyword(line, 3, 'STATUS ou SETTING', ['STATUS', 'SETTING'] as const)
    if (line.words[4] !== '=')
      throw context.fail(line, 'rule', `écrivez « ${attribute} = valeur » pour « ${link.name} ».`)
    const word = context.word(line, 5, 'une valeur').toUpperCase()
    if (attribute === 'STATUS') {
      const state = ['OFF', 'ON', 'CLOSED', 'OPEN'].indexOf(word)
      if (state < 0)
        throw context.fail(line, 'rule', `« ${line.words[5]} » n'est ni ON, ni OFF, ni OPEN, ni CLOSED.`)
      return { link: index, setting: { type: 'value', value: state % 2 } }
    }
    if (word === 'CURVE') {
      const curve = curveAt(context, this.tables, line, 6, ['CONTROL'])
      const left = rule.premises[rule.premises.length - 1]?.left
      const unit = left?.type === 'attribute' ? this.unit(left) : 1
      return { link: index, setting: { type: 'curve', curve: scaleTable(curve, unit, 1) } }
    }
    if (word === 'TIMESERIES') {
      const series = this.tables.series.get(context.word(line, 6, 'une série'))
      if (!series)
        throw context.fail(
          line,
          'rule',
          `la série « ${line.words[6]} » n'existe pas. Ajoutez-la à [TIMESERIES].`,
        )
      return { link: index, setting: { type: 'series', series } }
    }
    if (word === 'PID')
      return {
        link: index,
        setting: {
          type: 'pid',
          kp: context.number(line, 6, 'le gain'),
          ki: context.number(line, 7, "le temps d'intégration"),
          kd: context.number(line, 8, 'le temps de dérivation'),
        },
      }
    const value = context.within(line, 5, 'le réglage', 0, link.kind === 'pump' ? 1e3 : 1)
    return { link: index, setting: { type: 'value', value } }
  }
}
