import { RadxError } from '@radx/contracts'

export class EventNotFound extends RadxError {
  constructor() {
    super('event.notFound', 404, 'Cet évènement n’existe plus : il a peut-être été supprimé ailleurs.')
  }
}
export class EventChanged extends RadxError {
  constructor() {
    super(
      'event.changed',
      409,
      'Cet évènement a été modifié dans une autre fenêtre. La liste a été actualisée ; reprenez votre modification.',
    )
  }
}
export class LoneSubcatchment extends RadxError {
  constructor(value: string) {
    super('event.catchment', 400, `Le sous-bassin « ${value} » demande aussi son bassin versant.`, {
      details: { field: 'catchment', value },
    })
  }
}
export class UnknownSelection extends RadxError {
  constructor(field: 'product' | 'catchment', value: string) {
    super(
      'event.unknown',
      400,
      field === 'product'
        ? `Le produit « ${value} » n’existe pas.`
        : `Le bassin versant « ${value} » n’existe pas.`,
      { details: { field, value } },
    )
  }
}
