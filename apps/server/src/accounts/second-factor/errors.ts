import { RadxError } from '@radx/contracts'
import { formatTimeFr } from '@radx/locale/format-fr'

/** The password was right; a code or a passkey is still to come. */
export class FactorNeeded extends RadxError {
  override readonly name: string = 'FactorNeeded'
  constructor(methods: string[]) {
    super(
      'accounts.secondFactor',
      401,
      "Ce compte demande un second facteur : entrer le code de l'application, un code de secours, ou utiliser une clé d'accès.",
      { details: { methods } },
    )
  }
}

/** When a code is given, and in which time zone a person reads it. */
export interface Moment {
  ms: number
  timeZone: string
}

/** Says the server's time, since a wrong clock is the usual reason. */
export class WrongCode extends RadxError {
  override readonly name: string = 'WrongCode'
  /** @param minutes by which the clock that made the code is known to be wrong */
  constructor({ ms: nowMs, timeZone }: Moment, minutes: number | null) {
    const reason =
      minutes === null
        ? `Il ne sert qu'une fois ; vérifier aussi que l'appareil est à l'heure : il est ici ${formatTimeFr(new Date(nowMs).toISOString(), timeZone)}.`
        : `L'horloge de l'appareil qui le donne ${minutes < 0 ? 'retarde' : 'avance'} d'environ ${Math.abs(minutes)} min : la régler à l'heure automatique, puis réessayer avec un nouveau code.`
    super('accounts.code', 401, `Code refusé. ${reason}`, {
      details: { serverTime: new Date(nowMs).toISOString(), minutes },
    })
  }
}

export class FactorStands extends RadxError {
  override readonly name: string = 'FactorStands'
  constructor() {
    super('accounts.factorStands', 409, 'Une application de codes est déjà en place. La retirer d’abord.')
  }
}

export class NoFactor extends RadxError {
  override readonly name: string = 'NoFactor'
  constructor() {
    super('accounts.noFactor', 409, 'Aucun second facteur n’est en place.')
  }
}

export class PasskeyRefused extends RadxError {
  override readonly name: string = 'PasskeyRefused'
  constructor() {
    super(
      'accounts.passkey',
      401,
      'Cette clé d’accès n’est pas reconnue ici. Recommencer, ou se connecter avec le mot de passe.',
    )
  }
}

/** The seeds were encrypted with another key than the one at hand. */
export class SeedKeyUnfit extends RadxError {
  override readonly name: string = 'SeedKeyUnfit'
  constructor() {
    super(
      'accounts.seedKey',
      503,
      "La clé des applications de codes manque sur ce serveur, ou ce n'est pas la bonne. Se connecter avec un code de secours ou une clé d'accès, et prévenir l'administrateur : il la remet en place (SEED_KEY, ou le fichier seed.key du dossier de données).",
    )
  }
}

export class TooManyPasskeys extends RadxError {
  override readonly name: string = 'TooManyPasskeys'
  constructor(most: number) {
    super('accounts.passkeys', 409, `Ce compte a déjà ${most} clés d’accès. En retirer une d’abord.`)
  }
}
