import type { SewerExpressionToken } from '@radx/contracts/sewer'

const FUNCTIONS = new Set(
  'abs sgn step sqrt log log10 exp sin cos tan cot asin acos atan acot sinh cosh tanh coth'.split(' '),
)

interface Reader {
  /** What a name that is no function stands for. */
  token(name: string): SewerExpressionToken | undefined
  /** The error for a formula that cannot be read at a word. */
  bad(word: string): Error
}

/**
 * A formula over numbers, names, + - * / ^, brackets and functions, in reverse Polish order (shunting-yard). Powers
 * bind first and from the right.
 */
export function parseFormula(text: string, { token, bad }: Reader): SewerExpressionToken[] {
  const output: SewerExpressionToken[] = []
  const stack: string[] = []
  const rank: Record<string, number> = { '+': 1, '-': 1, '*': 2, '/': 2, neg: 3, '^': 4 }
  const flush = () => {
    const top = stack.pop() as string
    if ('+-*/^'.includes(top)) output.push({ type: 'operator', operator: top as '+' })
    else output.push({ type: 'function', name: top })
  }
  const words = text.match(/[A-Za-z_][\w.]*|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|[-+*/^()]|\S/g) ?? []
  let operandNext = true
  for (const word of words) {
    if (/^\.?\d/.test(word)) {
      if (!operandNext) throw bad(word)
      output.push({ type: 'value', value: Number(word) })
      operandNext = false
    } else if (/^[A-Za-z_]/.test(word)) {
      if (!operandNext) throw bad(word)
      const named = token(word)
      if (named) {
        output.push(named)
        operandNext = false
      } else if (FUNCTIONS.has(word.toLowerCase())) stack.push(word.toLowerCase())
      else throw bad(word)
    } else if (word === '(') {
      if (!operandNext) throw bad(word)
      stack.push(word)
    } else if (word === ')') {
      if (operandNext) throw bad(word)
      while (stack.length > 0 && stack[stack.length - 1] !== '(') flush()
      if (stack.pop() !== '(') throw bad(word)
    } else if (rank[word]) {
      let sign = word
      if (operandNext) {
        if (word === '+') continue
        if (word !== '-') throw bad(word)
        sign = 'neg'
      }
      const tighter = (top: string) =>
        FUNCTIONS.has(top) || rank[top] > rank[sign] || (rank[top] === rank[sign] && sign !== '^')
      while (sign !== 'neg' && tighter(stack[stack.length - 1])) flush()
      stack.push(sign)
      operandNext = true
    } else throw bad(word)
  }
  if (operandNext) throw bad(words[words.length - 1] ?? '')
  while (stack.length > 0) {
    if (stack[stack.length - 1] === '(') throw bad('(')
    flush()
  }
  return output
}
