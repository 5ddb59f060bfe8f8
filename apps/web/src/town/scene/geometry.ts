import { BoxGeometry, BufferAttribute, InstancedBufferGeometry } from 'three'
import { TILE_QUADS } from './levels.ts'

/** A tile at a level: its vertices in quads of the finest level, with a skirt along its sides. */
export function tileGeometry(level: number): InstancedBufferGeometry {
  const quads = TILE_QUADS >> level
  const step = 1 << level
  const side = quads + 1
  const places: number[] = []
  const index: number[] = []
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) places.push(x * step, y * step, 0)
  const at = (x: number, y: number) => y * side + x
  for (let y = 0; y < quads; y++)
    for (let x = 0; x < quads; x++)
      index.push(at(x, y), at(x, y + 1), at(x + 1, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1))
  const edge = (point: (k: number) => number) => {
    const below = places.length / 3
    for (let k = 0; k < side; k++) {
      const top = point(k)
      places.push(places[3 * top], places[3 * top + 1], 1)
      if (k === 0) continue
      const [a, b] = [point(k - 1), top]
      index.push(a, below + k - 1, b, b, below + k - 1, below + k)
    }
  }
  edge((k) => at(k, 0))
  edge((k) => at(k, quads))
  edge((k) => at(0, k))
  edge((k) => at(quads, k))
  const made = new InstancedBufferGeometry()
  made.setAttribute('a_quad', new BufferAttribute(Float32Array.from(places), 3))
  made.setIndex(index)
  return made
}

/** Light on each side of a box: east, west, top, bottom, south, north. */
const SIDES = [0.86, 0.8, 1.06, 0, 0.92, 0.72]

/** A box one wide, high and deep from its corner, without its floor. */
export function boxGeometry(): InstancedBufferGeometry {
  const box = new BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5)
  const made = new InstancedBufferGeometry()
  made.setAttribute('position', box.attributes.position)
  const shades = Float32Array.from({ length: box.attributes.position.count }, (_, k) => SIDES[k >> 2])
  made.setAttribute('a_shade', new BufferAttribute(shades, 1))
  // Six indices a side; the floor is the fourth.
  const index = [...(box.index?.array ?? [])]
  made.setIndex([...index.slice(0, 18), ...index.slice(24)])
  return made
}
