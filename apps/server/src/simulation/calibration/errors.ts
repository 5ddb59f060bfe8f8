import { RadxError } from '@radx/contracts/errors'

export class ObservationNotFound extends RadxError {
  override readonly name = 'ObservationNotFound'
  constructor() {
    super('calibration.notFound', 404, 'Cette série de mesures n’existe pas ou plus.')
  }
}
export class CalibrationNotFound extends RadxError {
  override readonly name = 'CalibrationNotFound'
  constructor() {
    super('calibration.notFound', 404, 'Ce calage n’existe pas ou plus.')
  }
}
export class CalibrationBusy extends RadxError {
  override readonly name = 'CalibrationBusy'
  constructor() {
    super(
      'calibration.busy',
      409,
      'Ce calage est en attente ou en cours. Attendez sa fin ou annulez-le, puis réessayez.',
    )
  }
}
export class CalibrationDone extends RadxError {
  override readonly name = 'CalibrationDone'
  constructor() {
    super('calibration.done', 409, 'Ce calage est terminé : il n’y a rien à reprendre.')
  }
}
export class UnfitRun extends RadxError {
  override readonly name = 'UnfitRun'
  constructor(message: string) {
    super('calibration.config', 422, message)
  }
}
/** A set that a form names and that is not there for it. */
export class NoSuchSet extends RadxError {
  override readonly name = 'NoSuchSet'
  constructor(message: string) {
    super('calibration.set', 422, message)
  }
}
