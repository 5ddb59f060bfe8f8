import { RadxError } from '@radx/contracts/errors'

/** What the builder assumed, filled, moved or left out. French; `places` are in the recipe's system. */
export interface Finding {
  step: string
  kind: 'assumed' | 'filled' | 'moved' | 'left' | 'checked' | 'figure'
  text: string
  places?: { x: number; y: number; text: string }[]
}

/** At most so many places are told of a finding; the text says how many there are. */
export const PLACES_TOLD = 200

/** A recipe or its sources that nothing can be made of: everything that is wrong, in one go. */
export class BuildRefused extends RadxError {
  override readonly name: string = 'BuildRefused'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      'builder.refused',
      422,
      `La recette ne donne pas de bassin versant :\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      { details: { problems } },
    )
    this.problems = problems
  }
}

/** A source that cannot be used. The message says which one, why, and what to do. */
export class SourceRefused extends RadxError {
  override readonly name: string = 'SourceRefused'
  constructor(messageFr: string) {
    super('builder.source', 422, messageFr)
  }
}

/** Gathers what is wrong and what is worth telling while the steps run. */
export class Findings {
  readonly problems: string[] = []
  readonly told: Finding[] = []
  /** French, of the step under way. */
  private readonly progress: (text: string) => void

  constructor(progress: (text: string) => void) {
    this.progress = progress
  }

  say(text: string): void {
    this.progress(text)
  }

  problem(text: string): void {
    if (!this.problems.includes(text)) this.problems.push(text)
  }

  tell(step: string, kind: Finding['kind'], text: string, places?: Finding['places']): void {
    const some = places?.slice(0, PLACES_TOLD)
    this.told.push({ step, kind, text, ...(some && some.length > 0 && { places: some }) })
  }

  /** Runs a part; what it refuses is a problem, and the answer null. Anything else is a mistake of ours and goes on up. */
  async attempt<T>(part: () => Promise<T> | T): Promise<T | null> {
    try {
      return await part()
    } catch (error) {
      if (!(error instanceof RadxError)) throw error
      const { problems } = error as { problems?: readonly string[] }
      for (const text of problems ?? [error.message]) this.problem(text)
      return null
    }
  }

  /** @throws BuildRefused where anything is wrong */
  assertSound(): void {
    if (this.problems.length > 0) throw new BuildRefused(this.problems)
  }
}

/** The first names of a list, so that a message stays readable. */
export function someOf(names: readonly string[], shown = 5): string {
  const first = names.slice(0, shown).join(', ')
  const more = names.length - shown
  return more > 0 ? `${first} et ${more} ${more === 1 ? 'autre' : 'autres'}` : first
}
