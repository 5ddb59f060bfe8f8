import type { Recipe } from '@radx/contracts/recipe'
import type { Findings } from './findings.ts'
import type { Frame } from './grid.ts'
import type { Crs } from './sources/crs.ts'
import type { RecipeFolder } from './sources/files.ts'

/** What every step has before there is a grid. */
export interface Sources {
  recipe: Recipe
  folder: RecipeFolder
  crs: Crs
  findings: Findings
}

/** What every step has once there is one. */
export interface Context extends Sources {
  frame: Frame
  /** 1: outside of the outline. */
  outside: Uint8Array
}
