import { RadxError } from '@radx/contracts'

/** Same answer for a wrong name and a wrong password: it does not tell which accounts exist. */
export class WrongCredentials extends RadxError {
  override readonly name: string = 'WrongCredentials'
  constructor() {
    super('accounts.credentials', 401, 'Identifiant ou mot de passe incorrect.')
  }
}

/** Only told to somebody who knows the password. */
export class AccountDisabled extends RadxError {
  override readonly name: string = 'AccountDisabled'
  constructor() {
    super(
      'accounts.disabled',
      403,
      "Ce compte est désactivé. S'adresser au gestionnaire de la plateforme pour le rouvrir.",
    )
  }
}

export class TooManyLogins extends RadxError {
  override readonly name: string = 'TooManyLogins'
  readonly retryAfterSeconds: number
  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    super('accounts.too-many-logins', 429, `Trop de tentatives de connexion. Réessayer dans ${seconds} s.`, {
      details: { retryAfterSeconds: seconds },
    })
    this.retryAfterSeconds = seconds
  }
}

export class UnknownAccount extends RadxError {
  override readonly name: string = 'UnknownAccount'
  constructor(name: string) {
    super('accounts.unknown', 404, `Le compte « ${name} » n'existe pas. radx user list donne les comptes.`)
  }
}
