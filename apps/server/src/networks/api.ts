/** What other features may use of the networks; they import nothing else from this folder. */
export type { VersionFiles } from './files.ts'
export { type Layer, writeLayers } from './model/geopackage.ts'
export { OutFile } from './model/out-file.ts'
export { pathThrough } from './model/path-through.ts'
export { linkProperties, nodeProperties } from './model/properties.ts'
export { shortestPath } from './model/shortest-path.ts'
export { modelOfVersion, peaksOfRun } from './placed.ts'
export { listNetworks, NETWORK, ownNetwork, toRun, versionFiles, versionRows } from './queries.ts'
