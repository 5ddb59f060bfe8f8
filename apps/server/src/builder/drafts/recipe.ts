import { type DraftRecipe, draftRecipeSchema } from '@radx/contracts'
import { describeIssue } from '../../config/issue.ts'
import { BuildRefused } from '../findings.ts'
import { checkRecipe } from '../recipe.ts'
import { inScreenWords } from './screen-words.ts'

/** A recipe on its way, each of its parts held against the schema of recipes. @throws BuildRefused with all that is wrong */
export function checkDraftRecipe(json: unknown): DraftRecipe {
  const parsed = draftRecipeSchema.safeParse(json)
  if (!parsed.success)
    throw new BuildRefused(
      parsed.error.issues
        .map(describeIssue)
        .map(({ field, message }) => `recette, ${field || 'racine'} : ${message}.`)
        .map(inScreenWords),
    )
  // As it was given: what is usual is filled in when it is built.
  return json as DraftRecipe
}

/** What a build cannot do without, and the step that gives it. */
const NEEDED = {
  id: 'L’identifiant manque : donnez-le à l’étape « Contour ».',
  display: 'Le nom manque : donnez-le à l’étape « Contour ».',
  crs: 'Le système de coordonnées manque : choisissez-le à l’étape « Contour ».',
  cellSize: 'La taille de maille manque : donnez-la à l’étape « Contour ».',
  outline: 'Le contour manque : tracez-le ou choisissez une couche à l’étape « Contour ».',
  terrain: 'Le terrain manque : choisissez ses fichiers à l’étape « Terrain ».',
} as const satisfies Partial<Record<keyof DraftRecipe, string>>

/** @throws BuildRefused with all that is missing or wrong */
export function checkWholeRecipe(draft: DraftRecipe): void {
  const missing = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).filter((part) => draft[part] === undefined)
  if (missing.length > 0) throw new BuildRefused(missing.map((part) => NEEDED[part]))
  checkRecipe(draft)
}
