import { randomInt } from 'node:crypto'

const NOUNS = [
  'Averse',
  'Bruine',
  'Crue',
  'Giboulée',
  'Ondée',
  'Pluie',
  'Rafale',
  'Rivière',
  'Rosée',
  'Source',
  'Tempête',
  'Cascade',
]
const QUALITIES = [
  'douce',
  'vive',
  'lente',
  'subite',
  'tranquille',
  'claire',
  'grise',
  'légère',
  'tardive',
  'matinale',
  'estivale',
  'profonde',
]
const PLACES = [
  'de Seine',
  'd’Almont',
  'des quais',
  'du plateau',
  'de l’île',
  'des coteaux',
  'du vieux pont',
  'des jardins',
]

const pick = (list: readonly string[]): string => list[randomInt(list.length)]

/** A name for a simulation whose author has no better idea. */
export const randomName = (): string => `${pick(NOUNS)} ${pick(QUALITIES)} ${pick(PLACES)}`
