import { RadxError } from '@radx/contracts'

export class NetworkNotFound extends RadxError {
  constructor() {
    super('network.notFound', 404, 'Ce réseau n’existe pas ou plus.')
  }
}
export class NetworkForbidden extends RadxError {
  constructor() {
    super('network.forbidden', 403, 'Ce réseau appartient à un autre utilisateur.')
  }
}
export class NetworkNameTaken extends RadxError {
  constructor(name: string) {
    super('network.name', 409, `Un autre de vos réseaux s’appelle « ${name} ». Choisissez un autre nom.`)
  }
}
export class NetworkBusy extends RadxError {
  constructor() {
    super(
      'network.busy',
      409,
      'Un calcul de ce réseau est en attente ou en cours. Annulez-le, puis supprimez le réseau.',
    )
  }
}
export class NetworkFileGone extends RadxError {
  constructor(name: string) {
    super(
      'network.file',
      404,
      `Le fichier « ${name} » manque ou n’est plus celui qui a été gardé. Prévenez le gestionnaire.`,
    )
  }
}
export class RunNotDone extends RadxError {
  constructor() {
    super('network.notDone', 409, 'Ce calcul n’est pas terminé : il n’a pas encore de résultats.')
  }
}
export class NetworkCrsUnknown extends RadxError {
  constructor(crs: string) {
    super(
      'network.crs',
      422,
      `Le système ${crs} n’est pas pris en charge : il n’est pas au registre EPSG, ou son passage à WGS 84 demande une grille de décalage. Donnez un système récent du même endroit, comme EPSG:2154 (Lambert-93), une zone UTM ou 4326.`,
      { details: { crs } },
    )
  }
}
