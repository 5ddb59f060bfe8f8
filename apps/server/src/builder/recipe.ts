import { readFile } from 'node:fs/promises'
import { RadxError } from '@radx/contracts/errors'
import { type Recipe, recipeSchema } from '@radx/contracts/recipe'
import { decodeText } from '@radx/formats/decode-text'
import { describeIssue } from '../config/issue.ts'
import { BuildRefused } from './findings.ts'

/** Reads a recipe. @throws BuildRefused with all that is wrong, RadxError `builder.recipe` for what is no JSON */
export async function readRecipe(path: string): Promise<Recipe> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'ENOENT'
        ? 'n’existe pas'
        : error.code === 'EISDIR'
          ? 'est un dossier'
          : `ne peut être lu (${error.code})`
    throw new RadxError('builder.recipe', 422, `${path} ${why}. Donnez le fichier JSON de la recette.`)
  })
  let json: unknown
  try {
    json = JSON.parse(decodeText(bytes).replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new RadxError('builder.recipe', 422, `${path} n’est pas du JSON : ${(error as Error).message}`)
  }
  return checkRecipe(json)
}

/** @throws BuildRefused */
export function checkRecipe(json: unknown): Recipe {
  const parsed = recipeSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new BuildRefused(
    parsed.error.issues
      .map(describeIssue)
      .map(({ field, message }) => `recette, ${field || 'racine'} : ${message}.`),
  )
}
