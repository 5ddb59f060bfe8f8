import { RadxError } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'

/** A package of the site whose id a catchment of an account has already. */
export class CatchmentIdTaken extends RadxError {
  constructor(id: string) {
    super(
      'catchment.id',
      409,
      `L’identifiant « ${id} » est celui d’un bassin versant d’un compte. Donnez-en un autre dans catchment.json.`,
    )
  }
}
/** A catchment of the site changes on the command line only. */
export class CatchmentOfSite extends RadxError {
  constructor() {
    super(
      'catchment.site',
      403,
      'Ce bassin versant est celui de la plateforme : il se change par radx catchment, sur le serveur.',
    )
  }
}
export class CatchmentForbidden extends RadxError {
  constructor() {
    super('catchment.forbidden', 403, 'Ce bassin versant appartient à un autre utilisateur.')
  }
}
export class CatchmentNameTaken extends RadxError {
  constructor(name: string) {
    super(
      'catchment.name',
      409,
      `Un autre de vos bassins versants s’appelle « ${name} ». Choisissez un autre nom.`,
    )
  }
}
/** Accounts that a catchment cannot be shared with, since there are none of that name. */
export class UnknownAccounts extends RadxError {
  constructor(names: readonly string[]) {
    super('catchment.account', 422, `Aucun compte ne s’appelle : ${names.join(', ')}. Corrigez les noms.`, {
      details: { names },
    })
  }
}
/** A value of the simulation form that cannot be used; `field` is its key. */
export class SimulationFormError extends RadxError {
  constructor(field: string, messageFr: string, details: Record<string, unknown> = {}) {
    super('simulation.form', 400, messageFr, { details: { field, ...details } })
  }
}
/** The message is the specification's, word for word. */
export class MissingFormKey extends RadxError {
  constructor(key: string) {
    super('simulation.missingKey', 400, `Key: ${key} is not included in reducer`, { details: { field: key } })
  }
}
export class ReadOnlySimulation extends RadxError {
  constructor() {
    super('simulation.readOnly', 403, 'Cette simulation de référence ne peut pas être modifiée.')
  }
}
/** Somebody else saved notes since these were read. */
export class StaleNotes extends RadxError {
  constructor() {
    super(
      'simulation.staleNotes',
      409,
      'Ces notes ont été modifiées par quelqu’un d’autre pendant que vous les écriviez. Votre texte n’a pas été enregistré.',
    )
  }
}
export class OutputMissing extends RadxError {
  constructor(name: string) {
    super(
      'simulation.output',
      404,
      `Le fichier de sortie « ${name} » manque ou est endommagé. Relancez la simulation.`,
      {
        details: { name },
      },
    )
  }
}
export class UnknownOutput extends RadxError {
  constructor(name: string) {
    super('simulation.unknownOutput', 400, 'Unknown selectedOutput', { details: { name } })
  }
}
/** What belongs to a version of a catchment whose package is not here. */
export class CatchmentVersionGone extends RadxError {
  constructor(id: string) {
    super(
      'catchment.versionGone',
      410,
      `Cette carte appartient à une version précédente du bassin versant « ${id} », dont les fichiers n’ont pas été gardés.`,
      { details: { id } },
    )
  }
}
/** Two runs whose grids differ, say because the catchment was imported anew in between. */
export class NotComparable extends RadxError {
  constructor(why: string) {
    super(
      'simulation.notComparable',
      409,
      `Ces deux simulations ne se comparent pas (${why}). Choisissez une autre référence.`,
    )
  }
}
export class ReferenceLandUse extends RadxError {
  constructor() {
    super('luse.reference', 403, 'Cette carte est une référence du bassin et ne peut pas être supprimée.')
  }
}
export class ForeignLandUse extends RadxError {
  constructor() {
    super('luse.foreign', 403, 'Cette carte appartient à un autre utilisateur.')
  }
}
export class LandUseInUse extends RadxError {
  constructor(runs: number) {
    super(
      'luse.inUse',
      409,
      `Cette carte est la référence de ${countFr(runs, 'simulation')}. Supprimez d’abord ces simulations.`,
      { details: { runs } },
    )
  }
}

/** Files of an imported catchment package are no longer those that were imported. */
export class CatchmentDamaged extends RadxError {
  override readonly name = 'CatchmentDamaged'
  constructor(id: string) {
    super(
      'catchment.damaged',
      500,
      `Les fichiers du bassin versant « ${id} » sont endommagés. Les remplacer par ceux d’une sauvegarde, puis « radx verify ».`,
    )
  }
}
