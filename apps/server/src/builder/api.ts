/** What other features may use of the builder; they import nothing else from this folder. */
export { type BuildOptions, buildCatchment } from './build.ts'
export { checkRecipe, readRecipe } from './recipe.ts'
export type { Report } from './report.ts'
