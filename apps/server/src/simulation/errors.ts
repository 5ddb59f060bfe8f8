import { RadxError } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'

export class CatchmentNotFound extends RadxError {
  constructor(id: string) {
    super('catchment.notFound', 404, `Le bassin versant « ${id} » n’existe pas.`, { details: { id } })
  }
}
export class LuseFileNotFound extends RadxError {
  constructor(id: string) {
    super('luse.notFound', 404, 'Cette carte d’occupation des sols n’existe pas ou plus.', {
      details: { id },
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
