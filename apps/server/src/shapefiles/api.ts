/** What other features may use of the layers of accounts; they import nothing else from this folder. */
export { prjDefinition } from './projection.ts'
export { readShapes, type ShapefileParts, zippedParts } from './zipped.ts'
