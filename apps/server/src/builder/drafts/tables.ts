import type { BuilderSource, DraftRecipe } from '@radx/contracts'
import type { Generated } from 'kysely'

export interface BuilderDraftTable {
  id: Generated<string>
  username: string
  name: string
  recipe: DraftRecipe
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface BuilderFileTable {
  id: string
  draft_id: string
  name: string
  bytes: number
  holds: BuilderSource
  created_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Database {
    builder_draft: BuilderDraftTable
    builder_file: BuilderFileTable
  }
}
