/** Titles of documents, apart from the other texts so that the first page carries no more than these. */
export const builderTitles = {
  drafts: 'Bassins versants en construction',
  draft: 'Construire un bassin versant',
} as const
