import type { FittedParameter, UsedParameters } from '@radx/contracts/calibration'
import { LANGUAGE } from '@radx/locale/language'
import { fitTexts as texts } from '../../../texts/calibration.ts'

/** Four figures that count, small numbers with their power of ten. */
export function figure(value: number): string {
  const text =
    value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)))
  return LANGUAGE === 'fr' ? text.replace('.', ',') : text
}

/** A parameter in words. */
export function parameterText({ kind, code }: Pick<FittedParameter, 'kind' | 'code'>): string {
  if (code !== undefined) return texts.ofClass(texts.kinds[kind], texts.codeOf(code))
  return kind === 'roughness' || kind === 'kh' ? texts.factor(texts.kinds[kind]) : texts.kinds[kind]
}

/** The set that a run was made with: its name and its values as they were then. */
export const setText = ({ name, values }: UsedParameters): string =>
  texts.usedSet(name, values.map((one) => `${parameterText(one)} ${figure(one.value)}`).join(' ; '))
