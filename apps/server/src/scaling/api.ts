/** What other parts may use of the scaling of rain; they import nothing else from this folder. */

export { isFlat, notesFr, scalingNotes } from './notes.ts'
