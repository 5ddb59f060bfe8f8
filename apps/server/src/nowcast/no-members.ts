import { RadxError } from '@radx/contracts'

/** A forecast has no members (yet). */
export class NoMembers extends RadxError {
  override readonly name = 'NoMembers'
  constructor() {
    super(
      'nowcast.noMembers',
      404,
      'Les probabilités de cette prévision ne sont pas calculées. Réessayer dans quelques secondes, ou choisir un moment où il pleut.',
    )
  }
}
