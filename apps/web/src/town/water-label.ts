import { formatNumberFr } from '@radx/locale/format-fr'
import { townTexts as texts } from '../texts/town.ts'
import type { WaterClass } from './water-classes.ts'

const number = (cm: number): string => formatNumberFr(cm, cm % 1 === 0 ? 0 : 1)

/** What a class of water is called. */
export const waterLabel = ({ fromCm, toCm }: Pick<WaterClass, 'fromCm' | 'toCm'>): string =>
  toCm === null ? texts.from(number(fromCm)) : texts.between(number(fromCm), number(toCm))
