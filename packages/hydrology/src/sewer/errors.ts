import { RadxError } from '@radx/contracts'

/** No step length converged: the network or its values are beyond the scheme. */
export class SewerStepError extends RadxError {
  override readonly name = 'SewerStepError'
  constructor(node: string, timeS: number) {
    super(
      'sewer.step',
      422,
      `Le calcul du réseau ne converge pas au nœud « ${node} », ${Math.round(timeS)} s après le début. ` +
        'Vérifiez les cotes, les longueurs et les débits autour de ce nœud.',
      { details: { node, timeS } },
    )
  }
}

/** A network that cannot be laid out: a section without dimensions, a node without any link. */
export class SewerNetworkError extends RadxError {
  override readonly name = 'SewerNetworkError'
  constructor(messageFr: string, details: Record<string, unknown> = {}) {
    super('sewer.network', 422, messageFr, { details })
  }
}
