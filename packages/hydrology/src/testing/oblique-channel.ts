import type { Boundary, Side } from '../surface/boundaries.ts'
import { createSurface } from '../surface/surface.ts'
import type { KernelChoice } from '../surface/types.ts'

/**
 * Uniform flow of 1 m2/s in a channel of 200 x 20 m, n 0.03, 0.5 % steep, that runs at an angle to the cells of 2 m and ends
 * at walls: mean depth round its middle when it is steady, and normal depth, m.
 */
export function obliqueChannel(degrees: number, kernel: KernelChoice): { depthM: number; normalM: number } {
  const [lengthM, widthM, slope, manning, cellSizeM] = [200, 20, 0.005, 0.03, 2]
  const normalM = (manning / Math.sqrt(slope)) ** 0.6
  const turn = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const west = -widthM * sin - 3 * cellSizeM
  const ncols = Math.ceil((lengthM * cos - west) / cellSizeM) + 3
  const nrows = Math.ceil((lengthM * sin + widthM * cos) / cellSizeM) + 6
  const along = (cell: number) => {
    const x = west + ((cell % ncols) + 0.5) * cellSizeM
    const y = (nrows - Math.floor(cell / ncols) - 3.5) * cellSizeM
    return { l: x * cos + y * sin, t: y * cos - x * sin }
  }
  const cells = Array.from({ length: nrows * ncols }, (_, cell) => cell)
  const elevationM = Float64Array.from(cells, (cell) => {
    const { l, t } = along(cell)
    return l >= 0 && l < lengthM && t >= 0 && t < widthM ? (lengthM - l) * slope : Number.NaN
  })
  const inside = cells.filter((cell) => !Number.isNaN(elevationM[cell]))
  const surface = createSurface(
    { nrows, ncols, cellSizeM, elevationM },
    { manning: new Float64Array(cells.length).fill(manning), edges: 'closed' },
    kernel,
  )
  surface.setInitial(elevationM.map((z) => (Number.isNaN(z) ? 0 : normalM)))
  const outlet = inside.flatMap((cell) =>
    [1, -1, ncols, -ncols].flatMap((step, side) =>
      Number.isNaN(elevationM[cell + step]) && along(cell + step).l >= lengthM
        ? [{ cell, side: side as Side }]
        : [],
    ),
  )
  const boundaries: Boundary[] = [
    {
      name: 'in',
      kind: 'discharge',
      series: { timesS: [0], values: [widthM] },
      faces: [],
      cells: inside.filter((cell) => along(cell).l < 3 * cellSizeM),
    },
    { name: 'out', kind: 'normal', slope, faces: outlet, cells: [] },
  ]
  surface.setBoundaries(boundaries)
  for (let timeS = 0; timeS < 900; ) {
    const stepS = surface.stableStepS()
    surface.step(stepS)
    timeS += stepS
  }
  const middle = inside.filter((cell) => Math.abs(along(cell).l - lengthM / 2) < 20)
  return { depthM: middle.reduce((sum, cell) => sum + surface.depthM(cell), 0) / middle.length, normalM }
}
