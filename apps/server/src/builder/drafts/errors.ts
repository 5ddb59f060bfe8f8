import { RadxError } from '@radx/contracts/errors'

export class DraftNotFound extends RadxError {
  constructor() {
    super('builder.notFound', 404, 'Ce bassin en construction n’existe pas ou plus.')
  }
}
export class DraftForbidden extends RadxError {
  constructor() {
    super('builder.forbidden', 403, 'Ce bassin en construction appartient à un autre utilisateur.')
  }
}
export class DraftBusy extends RadxError {
  constructor() {
    super(
      'builder.busy',
      409,
      'Une construction de ce bassin est en attente ou en cours. Attendez sa fin ou annulez-la, puis réessayez.',
    )
  }
}
export class DraftFileGone extends RadxError {
  constructor(name: string) {
    super('builder.file', 404, `Le fichier « ${name} » n’est pas ou plus là. Déposez-le de nouveau.`, {
      details: { name },
    })
  }
}
export class TooManyDraftFiles extends RadxError {
  constructor(limit: number) {
    super(
      'builder.tooManyFiles',
      409,
      `Ce bassin en construction a déjà ${limit} fichiers. Supprimez ceux qui ne servent plus, ou assemblez des dalles.`,
      { details: { limit } },
    )
  }
}
export class BuildNotDone extends RadxError {
  constructor() {
    super('builder.build', 409, 'Cette construction n’est pas terminée : il n’y a pas encore de bassin.')
  }
}
