import { RadxError } from '@radx/contracts'

/** The bucket cannot be reached now; what was asked can be asked again. */
export class ObjectStoreUnavailable extends RadxError {
  override readonly name = 'ObjectStoreUnavailable'
  /** @param reason French; never holds an address with keys */
  constructor(reason: string) {
    super(
      'store.unavailable',
      503,
      `Le stockage des images ne répond pas (${reason}). Le service reprend de lui-même dès son retour ; réessayer dans un instant.`,
      { details: { reason } },
    )
  }
}

/** The bucket answers, and refuses: wrong keys, wrong bucket, no right to write. */
export class ObjectStoreRefusal extends RadxError {
  override readonly name = 'ObjectStoreRefusal'
  constructor(status: number, code: string) {
    super(
      'store.refused',
      500,
      `Le stockage des images refuse la demande (${status} ${code}). Vérifier STORE_URL, les clés et les droits du seau.`,
      { details: { status, code } },
    )
  }
}
