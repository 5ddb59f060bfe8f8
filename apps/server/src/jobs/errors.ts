import { RadxError } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'

export const CANCELLED = 'Calcul annulé.'
export const DISK_FULL =
  'Le disque du serveur est plein : rien n’a été gardé de ce calcul. Prévenez le gestionnaire, puis relancez-le.'
export const WORKER_LOST =
  'Le calcul a été interrompu à plusieurs reprises (arrêt de la machine de calcul). Relancez-le ; si cela se reproduit, prévenez le gestionnaire.'
/** What the log calls a job; short enough to be read out. */
export const jobReference = (id: string): string => id.slice(0, 8)
/** A failure that nobody foresaw: its own words stay in the log, beside this reference. */
export const unexpected = (id: string): string =>
  `Une erreur inattendue a arrêté ce calcul, malgré plusieurs essais. Relancez-le ; si cela se reproduit, donnez au gestionnaire la référence ${jobReference(id)}, qui figure dans le journal du serveur.`

export class JobForbidden extends RadxError {
  constructor(id: string) {
    super('job.forbidden', 403, 'Ce calcul appartient à un autre utilisateur.', { details: { id } })
  }
}
export class ReferenceJob extends RadxError {
  constructor() {
    super('job.reference', 403, 'Ce calcul est une référence de la plateforme et ne peut pas être supprimé.')
  }
}
export class SubmissionKeyUsed extends RadxError {
  constructor() {
    super(
      'job.keyUsed',
      409,
      'Cette clé a déjà servi pour un autre envoi. Envoyez ce formulaire avec une nouvelle clé.',
    )
  }
}
export class JobUnderWay extends RadxError {
  constructor() {
    super('job.underWay', 409, 'Ce calcul est en attente ou en cours. Annulez-le, puis supprimez-le.')
  }
}
export class JobNotFailed extends RadxError {
  constructor() {
    super('job.notFailed', 409, 'Ce calcul n’est pas en échec : il n’y a rien à relancer.')
  }
}
export class TooManyBatches extends RadxError {
  constructor(limit: number) {
    super(
      'job.tooMany',
      429,
      `Vous avez déjà ${countFr(limit, 'batterie')} en cours. Attendez la fin de l’une d’elles ou annulez-la.`,
      { details: { limit } },
    )
  }
}
export class TooManyJobs extends RadxError {
  constructor(limit: number) {
    super(
      'job.tooMany',
      429,
      `Vous avez déjà ${countFr(limit, 'calcul')} de ce type en attente ou en cours. Attendez la fin de l’un d’eux ou annulez-le.`,
      { details: { limit } },
    )
  }
}
