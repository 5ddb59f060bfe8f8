/** What other parts may use of the scaling of rain; they import nothing else from this folder. */

export { notesFr } from './notes.ts'
