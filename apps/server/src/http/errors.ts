import { type CodeOf, RadxError } from '@radx/contracts'

/** Nobody, or nobody any more, stands behind the request. */
export class Unauthenticated extends RadxError {
  override readonly name: string = 'Unauthenticated'
  constructor(hadToken: boolean) {
    super(
      hadToken ? 'auth.expired' : 'auth.required',
      401,
      hadToken
        ? "La session n'est plus valable. Se reconnecter pour continuer."
        : 'Cet appel demande une session. Se connecter pour continuer.',
    )
  }
}

/** The session's user may not do this. */
export class Forbidden extends RadxError {
  override readonly name: string = 'Forbidden'
  constructor(code: CodeOf<'auth'>, messageFr: string, details: Record<string, unknown> = {}) {
    super(`auth.${code}`, 403, messageFr, { details })
  }
}

export class NotFound extends RadxError {
  override readonly name: string = 'NotFound'
  constructor(messageFr = "Cette adresse n'existe pas.", details: Record<string, unknown> = {}) {
    super('request.notFound', 404, messageFr, { details })
  }
}

/** A request that the schema lets pass but that makes no sense. `field` names what to correct. */
export class BadRequest extends RadxError {
  override readonly name: string = 'BadRequest'
  constructor(code: CodeOf<'request'>, field: string, messageFr: string) {
    super(`request.${code}`, 400, messageFr, { details: { field } })
  }
}

/** A caller's budget is spent. The answer says when to come back (`Retry-After`). */
export class TooManyRequests extends RadxError {
  override readonly name: string = 'TooManyRequests'
  constructor(messageFr = 'Trop de demandes. Patienter un instant, puis réessayer.', retryAfterSeconds = 5) {
    super('request.tooMany', 429, messageFr, { details: { retryAfterSeconds } })
  }
}
