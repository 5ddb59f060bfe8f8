import { RadxError } from '@radx/contracts'

export class RuleNotFound extends RadxError {
  constructor() {
    super('alerts.notFound', 404, 'Cette règle n’existe plus : elle a peut-être été supprimée ailleurs.')
  }
}
export class AlertNotFound extends RadxError {
  constructor() {
    super('alerts.alertNotFound', 404, 'Cette alerte n’existe plus.')
  }
}
export class AlertOver extends RadxError {
  constructor() {
    super('alerts.over', 409, 'Cette alerte est déjà terminée.')
  }
}
export class RuleChanged extends RadxError {
  constructor() {
    super(
      'alerts.changed',
      409,
      'Cette règle a été modifiée dans une autre fenêtre. La liste a été actualisée ; reprendre la modification.',
    )
  }
}
