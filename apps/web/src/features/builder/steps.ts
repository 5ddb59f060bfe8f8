import type { DraftRecipe } from '@radx/contracts/builder'
import type { BuilderStep } from '@radx/contracts/builder-constants'
import type { BuilderScreenStep } from '../../texts/builder.ts'
import type { Draft } from './api.ts'

export const SCREEN_STEPS: readonly BuilderScreenStep[] = [
  'outline',
  'terrain',
  'landUse',
  'sewer',
  'gullies',
  'parameters',
  'build',
]

/** How a step is named in the address. */
const SLUGS: Record<BuilderScreenStep, string> = {
  outline: 'contour',
  terrain: 'terrain',
  landUse: 'sols',
  sewer: 'reseau',
  gullies: 'avaloirs',
  parameters: 'parametres',
  build: 'construction',
}

export const addressOf = (step: BuilderScreenStep): string => `?etape=${SLUGS[step]}`

export const stepOf = (params: URLSearchParams): BuilderScreenStep =>
  SCREEN_STEPS.find((step) => SLUGS[step] === params.get('etape')) ?? 'outline'

/** What of a town is looked at during a step: all that was given, once everything was. */
export const previewOf = (step: BuilderScreenStep): BuilderStep =>
  step === 'parameters' || step === 'build' ? 'gullies' : step

const GRID = ['crs', 'cellSize', 'outline'] as const
const GROUND = [...GRID, 'terrain', 'landUse', 'edges'] as const
const PARTS: Record<BuilderStep, readonly (keyof DraftRecipe)[]> = {
  outline: GRID,
  terrain: GROUND,
  landUse: GROUND,
  sewer: [...GROUND, 'sewer'],
  gullies: [...GROUND, 'sewer', 'gullies'],
}

/** What a preview is made of, as a text that changes with it. */
export const madeOf = (step: BuilderStep, recipe: DraftRecipe, files: Draft['files']): string =>
  JSON.stringify([
    PARTS[step].map((part) => recipe[part]),
    files.map(({ name, createdAt }) => [name, createdAt]),
  ])

/** Whether a step has been given what it is for; the optional ones are always well. */
export function isGiven(step: BuilderScreenStep, recipe: DraftRecipe): boolean {
  if (step === 'outline')
    return recipe.outline !== undefined && recipe.crs !== undefined && recipe.cellSize !== undefined
  if (step === 'terrain') return recipe.terrain !== undefined
  if (step === 'landUse') return (recipe.landUse?.layers ?? []).length > 0
  if (step === 'sewer') return recipe.sewer !== undefined
  if (step === 'gullies') return recipe.gullies !== undefined
  return false
}
