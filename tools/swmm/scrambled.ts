import type { Random } from './random-network.ts'

/** Ways of writing the same file, all of which EPA SWMM reads. */
export function scrambled(inp: string, random: Random): string {
  const chance = (share: number) => random() < share
  const names = inp.matchAll(/^\[(\w+)\]/gm)
  const short = new Map([...names].map(([, name]) => [name, SHORT[name] ?? name]))
  const usesTabs = chance(0.5)
  const lowers = chance(0.3)
  const end = chance(0.5) ? '\r\n' : '\n'
  let section = ''
  const lines = inp.split('\n').flatMap((line) => {
    if (line.startsWith('[')) {
      section = line.slice(1, -1)
      const name = chance(0.2) ? short.get(section) : section
      const head = `[${chance(0.3) ? name?.toLowerCase() : name}${chance(0.9) ? ']' : ''}`
      return chance(0.3) ? ['', head, ';;Nom  Valeurs', ';;---- -------'] : [head]
    }
    if (line === '') return [line]
    let text = usesTabs ? line.replaceAll(' ', '\t') : line.replaceAll(' ', chance(0.3) ? '   ' : ' ')
    // Names of nodes and links may be written in another case than where they are made.
    if (lowers && !MAKES_NAMES.has(section) && section !== 'CONTROLS') text = text.toLowerCase()
    if (chance(0.1)) text = `  ${text}  `
    if (chance(0.1) && section !== 'TITLE') text += ' ; remarque, é'
    return chance(0.05) ? [text, '', '; une ligne de remarque'] : [text]
  })
  return `[TITLE]${end};; un titre${end}Réseau tiré au sort : [essai]${end}${lines.join(end)}`
}

/** Sections that EPA SWMM knows by their beginnings. */
const SHORT: Record<string, string> = {
  OPTIONS: 'OPTION',
  JUNCTIONS: 'JUNC',
  OUTFALLS: 'OUTFALL',
  CONDUITS: 'CONDUIT',
  XSECTIONS: 'XSECT',
  INFLOWS: 'INFLOW',
  CURVES: 'CURVE',
  RAINGAGES: 'RAINGAGE',
  SUBCATCHMENTS: 'SUBCATCHMENT',
  EVAPORATION: 'EVAP',
  CONTROLS: 'CONTROL',
  POLLUTANTS: 'POLLUT',
}

const MAKES_NAMES = new Set(['JUNCTIONS', 'OUTFALLS', 'STORAGE', 'DIVIDERS', 'SUBCATCHMENTS', 'TITLE'])
