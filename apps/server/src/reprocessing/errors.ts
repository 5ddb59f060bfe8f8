import { MADE_PRODUCTS_MAX, RadxError } from '@radx/contracts'

/** The name that a product is to have is not free. */
export class NameExists extends RadxError {
  override readonly name = 'NameExists'
  constructor(product: string, isMade: boolean) {
    super(
      'reprocessing.exists',
      409,
      isMade
        ? `Le produit retraité « ${product} » existe déjà. Cocher le remplacement (--replace en ligne de commande), ou choisir un autre nom.`
        : `« ${product} » est un produit du radar : un retraitement ne le remplace jamais. Choisir un autre nom.`,
      { details: { product } },
    )
  }
}

/** Somebody makes a product of that name just now. */
export class UnderWay extends RadxError {
  override readonly name = 'UnderWay'
  constructor(product: string) {
    super(
      'reprocessing.underWay',
      409,
      `Un retraitement vers « ${product} » est en cours. Attendre sa fin, ou l’annuler.`,
      { details: { product } },
    )
  }
}

/** Nothing of the period can be read again. */
export class NothingToReprocess extends RadxError {
  override readonly name = 'NothingToReprocess'
  constructor(source: string, lost: number) {
    super(
      'reprocessing.nothing',
      422,
      lost === 0
        ? `Aucun volume polarimétrique de « ${source} » n’est gardé dans cette période. Choisir une autre période ou un autre produit.`
        : `Aucun des volumes de « ${source} » de cette période n’est encore lisible dans l’archive (${lost}).`,
      { details: { source, lost } },
    )
  }
}

export class UnknownSource extends RadxError {
  override readonly name = 'UnknownSource'
  constructor(source: string, known: readonly string[]) {
    super(
      'reprocessing.source',
      422,
      `Le produit « ${source} » n’existe pas. Produits : ${known.join(', ')}.`,
      { details: { source } },
    )
  }
}

export class TooManyProducts extends RadxError {
  override readonly name = 'TooManyProducts'
  constructor() {
    super(
      'reprocessing.count',
      409,
      `${MADE_PRODUCTS_MAX} produits retraités sont gardés, pas plus. En supprimer un d’abord.`,
    )
  }
}
