import { type CodeOf, RadxError } from '@radx/contracts'

/** A file that ingest does not take. The message says what to do about it, in French. */
export class IngestRefusal extends RadxError {
  override readonly name = 'IngestRefusal'
  constructor(code: CodeOf<'ingest'>, messageFr: string, details: Record<string, unknown> = {}) {
    super(`ingest.${code}`, 422, messageFr, { details })
  }
}

export const wrongProduct = (found: string, wanted: string) =>
  new IngestRefusal(
    'wrongProduct',
    `Le fichier contient le produit « ${found} », non « ${wanted} ». Déposez-le dans le dossier de son produit ou corrigez --product.`,
    { found, wanted },
  )

export const unknownProduct = (found: string, known: string[]) =>
  new IngestRefusal(
    'unknownProduct',
    `Le produit « ${found.slice(0, 60)} » n'est pas un produit de ce site (${known.join(', ')}). Corrigez site.json, le dossier de dépôt ou --product.`,
    { found, known },
  )

export const wrongGrid = (product: string) =>
  new IngestRefusal(
    'wrongGrid',
    `La grille du fichier ne touche pas celle du produit « ${product} ». Vérifiez qu'il vient bien du radar de ce site.`,
    { product },
  )

export const conflict = (product: string, time: string, firstName: string) =>
  new IngestRefusal(
    'conflict',
    `Une image du produit « ${product} » existe déjà pour ${time}, venue du fichier « ${firstName} ». La première est gardée.`,
    { product, time, firstName },
  )

/** Whether more bytes could cure a refusal. */
export const maybeUnfinished = (code: string) =>
  !/^ingest\.(future|clock|conflict|wrongProduct|unknownProduct|wrongGrid|tooLarge|noStation)$/.test(code)
