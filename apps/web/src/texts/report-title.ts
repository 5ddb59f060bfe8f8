/** Title of documents, apart from the other texts so that the first page carries no more than this. */
export const reportTitle = 'Rapport'
