import { RadxError } from '@radx/contracts'

/** A link leads to screens of this site and nowhere else. */
export class NotOwnPath extends RadxError {
  override readonly name = 'NotOwnPath'
  constructor() {
    super(
      'links.path',
      400,
      'Un lien court mène à une page de cette plateforme : son chemin commence par « / » et désigne un de ses écrans.',
      { details: { field: 'path' } },
    )
  }
}

export class LinkNameTaken extends RadxError {
  override readonly name = 'LinkNameTaken'
  constructor(link: string) {
    super('links.taken', 409, `Le nom « ${link} » est déjà pris. En choisir un autre.`, {
      details: { field: 'name' },
    })
  }
}
