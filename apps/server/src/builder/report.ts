import type { Recipe } from '@radx/contracts/recipe'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Finding } from './findings.ts'

export interface Report {
  id: string
  display: string
  findings: readonly Finding[]
  /** Of the package, as every import tells them. */
  warnings: readonly string[]
  /** Seconds of each step. */
  seconds: Record<string, number>
}

const STEPS: Record<string, string> = {
  outline: 'Contour et grille',
  sources: 'Sources',
  terrain: 'Terrain',
  landUse: 'Occupation des sols',
  pits: 'Cuvettes',
  sewer: 'Réseau',
  gullies: 'Avaloirs',
  passed: 'Fichiers transmis',
  check: 'Vérification',
}
const KINDS: Record<Finding['kind'], string> = {
  figure: '',
  assumed: 'Supposé : ',
  filled: 'Comblé : ',
  moved: 'Déplacé : ',
  left: 'Laissé : ',
  checked: 'Vérifié : ',
}
/** Places shown of a finding; the JSON has more. */
const SHOWN = 20

/** `report.json` of a package. */
export const reportJson = (report: Report, recipe: Recipe): string =>
  `${JSON.stringify({ version: 1, ...report, recipe }, null, 1)}\n`

/** `report.md` of a package: what was assumed, filled, moved and left out, for a person. */
export function reportText({ display, id, findings, warnings, seconds }: Report): string {
  const lines = [`# ${display} (${id}) : rapport de construction`, '']
  for (const [step, title] of Object.entries(STEPS)) {
    const own = findings.filter((finding) => finding.step === step)
    if (own.length === 0) continue
    lines.push(`## ${title}`, '')
    for (const { kind, text, places = [] } of own) {
      lines.push(`- ${KINDS[kind]}${text}`)
      for (const { x, y, text: what } of places.slice(0, SHOWN))
        lines.push(`  - (${x.toFixed(1)} ; ${y.toFixed(1)}) ${what}`)
      if (places.length > SHOWN) lines.push(`  - suite dans report.json`)
    }
    lines.push('')
  }
  if (warnings.length > 0) lines.push('## À savoir', '', ...warnings.map((warning) => `- ${warning}`), '')
  const times = Object.entries(seconds).map(
    ([step, s]) => `${(STEPS[step] ?? step).toLowerCase()} ${formatNumberFr(s, 1)} s`,
  )
  lines.push(`Durées : ${times.join(', ')}.`, '')
  return lines.join('\n')
}
