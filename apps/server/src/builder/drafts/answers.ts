import type { BuilderPreview, BuilderSource, BuilderStep, DraftRecipe } from '@radx/contracts'
import type { AnswerKind } from '../../threads/answers.ts'
import { inspectSource } from './inspect.ts'
import { previewStep } from './preview.ts'

/** Looks into a file before it is kept. @throws SourceRefused, FormatError */
export const inspectAnswer: AnswerKind<{ dir: string; name: string }, BuilderSource> = {
  name: 'builder.inspect',
  run: (_, { dir, name }) => inspectSource(dir, name),
}

export const previewAnswer: AnswerKind<
  { recipe: DraftRecipe; dir: string; step: BuilderStep },
  BuilderPreview
> = {
  name: 'builder.preview',
  run: (_, { recipe, dir, step }) => previewStep(recipe, dir, step),
}
