/** What other features may use of the exports; they import nothing else from this folder. */
export { odimComposites, odimName } from './odim.ts'
export { drawSvg, svgPng } from './picture.ts'
export { provenance, readSelection, runningMm, type Selection } from './selection.ts'
