import type {
  SewerConduit,
  SewerInflow,
  SewerJunction,
  SewerLink,
  SewerNetwork,
  SewerNode,
  SewerOptions,
  SewerOutfall,
  SewerSection,
  SewerStorage,
} from '@radx/contracts'

/** Small networks for tests, SI. */
const node = { surchargeDepthM: 0, pondedAreaM2: 0, initDepthM: 0, inflows: [] as SewerInflow[] }

export const junction = (
  name: string,
  invertM: number,
  more: Partial<SewerJunction> = {},
): SewerJunction => ({
  ...node,
  kind: 'junction',
  name,
  invertM,
  fullDepthM: 5,
  ...more,
})

export const outfall = (name: string, invertM: number, more: Partial<SewerOutfall> = {}): SewerOutfall => ({
  ...node,
  kind: 'outfall',
  name,
  invertM,
  fullDepthM: 0,
  boundary: { type: 'free' },
  flapGate: false,
  ...more,
})

/** A tank with upright walls. */
export const tank = (
  name: string,
  invertM: number,
  areaM2: number,
  more: Partial<SewerStorage> = {},
): SewerStorage => ({
  ...node,
  kind: 'storage',
  name,
  invertM,
  fullDepthM: 20,
  shape: { type: 'functional', coefficient: 0, exponent: 0, constant: areaM2 },
  ...more,
})

export const section = (shape: string, ...dims: number[]): SewerSection => ({
  shape,
  dims: [dims[0] ?? 0, dims[1] ?? 0, dims[2] ?? 0, dims[3] ?? 0],
  barrels: 1,
  culvertCode: 0,
})

export const conduit = (
  name: string,
  from: number,
  to: number,
  lengthM: number,
  profile: SewerSection,
  more: Partial<SewerConduit> = {},
): SewerConduit => ({
  kind: 'conduit',
  name,
  from,
  to,
  vertices: [],
  lengthM,
  roughness: 0.013,
  inOffsetM: 0,
  outOffsetM: 0,
  initFlowM3S: 0,
  maxFlowM3S: 0,
  section: profile,
  lossInlet: 0,
  lossOutlet: 0,
  lossAverage: 0,
  flapGate: false,
  seepageMS: 0,
  ...more,
})

/** A flow that stays the same, m3/s. */
export const steady = (flowM3S: number): SewerInflow => ({
  series: null,
  scale: 1,
  baselineM3S: flowM3S,
  patterns: [],
})

export function network(
  nodes: SewerNode[],
  links: SewerLink[],
  options: Partial<SewerOptions> = {},
): SewerNetwork {
  return {
    title: [],
    nodes,
    links,
    rules: [],
    options: {
      flowUnits: 'CMS',
      routing: 'DYNWAVE',
      startEpochS: 0,
      durationS: 3600,
      reportStartS: 0,
      reportStepS: 60,
      routingStepS: 5,
      ruleStepS: 0,
      inertialDamping: 'NONE',
      surchargeMethod: 'SLOT',
      normalFlowLimited: 'BOTH',
      forceMainEquation: 'H-W',
      minSurfaceAreaM2: 1.167,
      minSlope: 0,
      allowPonding: false,
      ...options,
    },
  }
}
