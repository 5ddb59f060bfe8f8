import { RadxError } from '@radx/contracts'

export class SharedRecipient extends RadxError {
  constructor() {
    super(
      'alerts.shared',
      403,
      'Ce compte de démonstration est partagé\u00a0: ses alertes sont annoncées dans la page seulement.',
    )
  }
}
export class NoMail extends RadxError {
  constructor(messageFr: string) {
    super('alerts.mail', 503, messageFr, { details: { field: 'email' } })
  }
}
export class WrongCode extends RadxError {
  constructor() {
    super(
      'alerts.code',
      400,
      'Ce code n’est pas, ou n’est plus, celui qui a été envoyé. Enregistrer l’adresse de nouveau en fait un autre.',
      { details: { field: 'code' } },
    )
  }
}
export class TooManyCodes extends RadxError {
  constructor() {
    super('alerts.codes', 429, 'Trop de codes demandés. Réessayer dans quelques minutes.')
  }
}
export class BadRecipient extends RadxError {
  constructor(messageFr: string, field: string) {
    super('alerts.recipient', 400, messageFr, { details: { field } })
  }
}
export class ManagersOnly extends RadxError {
  constructor() {
    super('alerts.managers', 403, 'Seuls les gestionnaires ajoutent des webhooks à une règle.')
  }
}
export class RecipientGone extends RadxError {
  constructor() {
    super('alerts.recipientGone', 404, 'Il n’existe plus\u00a0: il a peut-être été supprimé ailleurs.')
  }
}
