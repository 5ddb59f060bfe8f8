import { FormatError } from '@radx/contracts'
import { expect } from 'vitest'
import { type InpResult, readInp } from '../inp/read.ts'

/** The smallest sound network, by section: two junctions, an outfall, two pipes, in metres and l/s. */
export const SMALL = {
  OPTIONS: 'FLOW_UNITS LPS\nEND_TIME 1:00',
  JUNCTIONS: 'J1 10 2\nJ2 9 2',
  OUTFALLS: 'O1 8 FREE',
  CONDUITS: 'C1 J1 J2 40 0.013 0 0\nC2 J2 O1 60 0.013 0 0',
  XSECTIONS: 'C1 CIRCULAR 0.5\nC2 CIRCULAR 0.5',
}

/** Feet and ft3/s instead. */
export const US = 'FLOW_UNITS CFS\nEND_TIME 1:00'
export const FT = 0.3048

/** The small network with these sections instead of its own; lines under `+NAME` come after those of its own. */
export function inp(sections: Record<string, string> = {}): string {
  const all: Record<string, string> = { ...SMALL }
  for (const [name, lines] of Object.entries(sections)) {
    const own = name.replace('+', '')
    all[own] = name.startsWith('+') && all[own] ? `${all[own]}\n${lines}` : lines
  }
  return Object.entries(all)
    .map(([name, lines]) => `[${name}]\n${lines}\n`)
    .join('')
}

export const read = (sections: Record<string, string> = {}): InpResult =>
  readInp(inp(sections), { file: 'essai.inp' })

/** The node or link of that name. */
export function named<T extends { name: string }>(all: T[], name: string): T {
  const found = all.find((one) => one.name === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

/**
 * Expects a refusal with this code that names the file and the line that begins with `line` (or has this number), and
 * says all of `words`.
 */
export function expectRefusal(text: string, code: string, line: string | number, ...words: string[]): void {
  let error: unknown
  try {
    readInp(text, { file: 'essai.inp' })
  } catch (thrown) {
    error = thrown
  }
  if (!(error instanceof FormatError)) throw error ?? new Error('not refused')
  const lines = text.split('\n')
  const number = typeof line === 'number' ? line : lines.findIndex((one) => one.startsWith(line)) + 1
  if (number < 1) throw new Error(`no line begins with ${line}`)
  expect({ code: error.code, details: error.details }).toEqual({
    code: `inp.${code}`,
    details: { file: 'essai.inp', line: number },
  })
  expect(error.message.startsWith(`essai.inp, ligne ${number} : `), error.message).toBe(true)
  for (const word of words) expect(error.message).toContain(word)
}
