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
    super('accounts.tooManyLogins', 429, `Trop de tentatives de connexion. Réessayer dans ${seconds} s.`, {
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

/** Somebody else changed the account since it was read. */
export class AccountChanged extends RadxError {
  override readonly name: string = 'AccountChanged'
  constructor(name: string) {
    super(
      'accounts.changed',
      409,
      `Le compte « ${name} » a été modifié entre-temps par un autre gestionnaire : rien n'a été enregistré. Relire ses réglages, puis recommencer.`,
    )
  }
}

/** Nobody could administer the platform in the browser any more. */
export class LastManager extends RadxError {
  override readonly name: string = 'LastManager'
  constructor(name: string) {
    super(
      'accounts.lastManager',
      409,
      `« ${name} » est le dernier gestionnaire : donner d'abord ce rôle à un autre compte actif.`,
    )
  }
}

/** What the page of one's own account asks the password for is not done round it by administration. */
export class OwnAccount extends RadxError {
  override readonly name: string = 'OwnAccount'
  constructor() {
    super(
      'accounts.own',
      409,
      'Votre propre mot de passe et votre second facteur se changent sur la page de votre compte.',
    )
  }
}

/** A link that was used, replaced or is too old looks the same as one that never was. */
export class LinkOver extends RadxError {
  override readonly name: string = 'LinkOver'
  constructor() {
    super(
      'accounts.link',
      410,
      "Ce lien n'est plus valable : il ne sert qu'une fois, pendant 24 heures. En demander un autre au gestionnaire.",
    )
  }
}

/** Work of an account that is to be erased. */
export class WorkUnderWay extends RadxError {
  override readonly name: string = 'WorkUnderWay'
  constructor() {
    super(
      'accounts.workUnderWay',
      409,
      'Des calculs de ce compte sont en attente ou en cours. Les annuler ou attendre leur fin, puis recommencer.',
    )
  }
}

/** Runs can be handed to a manager in force only. */
export class NoSuchManager extends RadxError {
  override readonly name: string = 'NoSuchManager'
  constructor(name: string) {
    super(
      'accounts.noManager',
      422,
      `« ${name} » n'est pas un gestionnaire en activité. En choisir un autre.`,
    )
  }
}

/** The password that somebody signed in gives again. */
export class WrongPassword extends RadxError {
  override readonly name: string = 'WrongPassword'
  constructor() {
    super('accounts.passwordWrong', 422, 'Le mot de passe actuel est incorrect.')
  }
}

/** A token may do no more than its account. */
export class BadTokenScope extends RadxError {
  override readonly name: string = 'BadTokenScope'
  constructor(scope: string) {
    super(
      'accounts.tokenScope',
      422,
      `La portée « ${scope} » est réservée aux gestionnaires : ce compte ne peut pas la donner.`,
      { details: { field: 'scopes' } },
    )
  }
}

export class BadTokenDates extends RadxError {
  override readonly name: string = 'BadTokenDates'
  constructor() {
    super('accounts.tokenDates', 422, 'Le début des dates du jeton doit précéder leur fin.', {
      details: { field: 'to' },
    })
  }
}

/** What one visitor sets on an account of the demonstration would lock the others out. */
export class SharedAccount extends RadxError {
  override readonly name: string = 'SharedAccount'
  constructor() {
    super(
      'accounts.shared',
      403,
      'Ce compte de démonstration est partagé : son mot de passe et ses réglages de sécurité ne changent pas.',
    )
  }
}
