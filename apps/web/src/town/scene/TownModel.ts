import {
  type BufferAttribute,
  type Camera,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  FloatType,
  Frustum,
  GLSL3,
  Group,
  InstancedBufferAttribute,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  RawShaderMaterial,
  RedFormat,
  RedIntegerFormat,
  RGBAFormat,
  Sphere,
  UnsignedByteType,
  UnsignedShortType,
  Vector3,
} from 'three'
import type { TownGrid } from '../api.ts'
import type { GridPicture } from '../paint-ground.ts'
import { type CodeClass, PALETTE_SIZE, paletteOf } from '../WaterFrames.ts'
import { boxGeometry, tileGeometry } from './geometry.ts'
import { BOX_FIELDS, type Boxes } from './houses.ts'
import {
  chooseLevels,
  GROUND_LEVELS,
  HOUSE_LEVELS,
  houseLevel,
  strideOf,
  TILE_QUADS,
  type Tile,
} from './levels.ts'
import type { SceneParts } from './scene.worker.ts'
import { GROUND_FRAGMENT, GROUND_VERTEX, HOUSE_FRAGMENT, HOUSE_VERTEX } from './shaders.ts'

/** Triangles of a picture at most. */
export const MOST_TRIANGLES = 500_000
/** What else is drawn: marks and pipes. */
const SPARE_TRIANGLES = 20_000
/** A quad of the finest level is worth its triangles up to where it is so large on the screen, px. */
const QUAD_PX = 2
const EMPTY_MM = new Uint16Array(1)

type Place = TownGrid['place']

/** A town in three dimensions: tiles of ground with their water, boxes of buildings, each as fine as it can be seen. */
export class TownModel {
  readonly group = new Group()
  readonly place: Place
  private readonly tiles: Tile[]
  private readonly spans: { spheres: Sphere[]; highM: number }
  private readonly boxes: readonly Boxes[]
  private readonly grounds: Mesh[]
  private readonly houses: { mesh: Mesh; values: InstancedInterleavedBuffer }[]
  private readonly ground: RawShaderMaterial
  private readonly house: RawShaderMaterial
  private readonly textures: Record<'heights' | 'land' | 'layer' | 'palette', DataTexture>
  private frames: [DataTexture, DataTexture]
  private last = new Matrix4()
  private lastRelief = 0
  /** Asks for a picture. */
  private readonly invalidate: () => void

  constructor(place: Place, { heights, lowM, highM, boxes }: SceneParts, invalidate: () => void) {
    this.place = place
    this.boxes = boxes
    this.invalidate = invalidate
    const { nrows, ncols, cellSizeM } = place
    const stride = strideOf(place)
    this.tiles = tilesOf(place, boxes)
    const half = (TILE_QUADS * stride * cellSizeM) / 2
    this.spans = {
      spheres: this.tiles.map(({ x, z }) => new Sphere(new Vector3(x, 0, z), half * Math.SQRT2)),
      highM: highM - lowM,
    }
    this.textures = {
      heights: textureOf(heights, ncols, nrows, RedFormat, FloatType),
      land: textureOf(new Uint8Array(4), 1, 1, RGBAFormat, UnsignedByteType),
      layer: textureOf(new Uint8Array(4), 1, 1, RGBAFormat, UnsignedByteType),
      palette: textureOf(new Uint8Array(4 * PALETTE_SIZE), PALETTE_SIZE, 1, RGBAFormat, UnsignedByteType),
    }
    this.frames = [frameTexture(EMPTY_MM, 1, 1), frameTexture(EMPTY_MM, 1, 1)]
    const shared = {
      u_size: { value: [ncols, nrows] },
      u_cell: { value: cellSizeM },
      u_base: { value: lowM },
      u_relief: { value: 1 },
    }
    this.ground = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: GROUND_VERTEX,
      fragmentShader: GROUND_FRAGMENT,
      side: DoubleSide,
      uniforms: {
        ...shared,
        u_heights: { value: this.textures.heights },
        u_land: { value: this.textures.land },
        u_layer: { value: this.textures.layer },
        u_palette: { value: this.textures.palette },
        u_before: { value: this.frames[0] },
        u_after: { value: this.frames[1] },
        u_share: { value: 0 },
        u_stride: { value: stride },
        u_skirt: { value: 2 * cellSizeM * stride },
        u_fromMm: { value: 0xffff },
        u_opacity: { value: 0.9 },
        u_time: { value: 0 },
        u_wet: { value: false },
        u_layered: { value: false },
      },
    })
    this.house = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: HOUSE_VERTEX,
      fragmentShader: HOUSE_FRAGMENT,
      uniforms: { ...shared, u_color: { value: new Vector3(0.8, 0.8, 0.8) } },
    })
    this.grounds = Array.from({ length: GROUND_LEVELS }, (_, level) => {
      const geometry = tileGeometry(level)
      const tiles = new InstancedBufferAttribute(new Float32Array(2 * this.tiles.length), 2)
      geometry.setAttribute('a_tile', tiles.setUsage(DynamicDrawUsage))
      return this.add(new Mesh(geometry, this.ground))
    })
    this.houses = boxes.map(({ values: { length } }) => {
      const geometry = boxGeometry()
      const values = new InstancedInterleavedBuffer(
        new Float32Array(Math.max(BOX_FIELDS, length)),
        BOX_FIELDS,
      )
      values.setUsage(DynamicDrawUsage)
      geometry.setAttribute('a_rect', new InterleavedBufferAttribute(values, 4, 0))
      geometry.setAttribute('a_rise', new InterleavedBufferAttribute(values, 2, 4))
      return { mesh: this.add(new Mesh(geometry, this.house)), values }
    })
  }

  private add(mesh: Mesh): Mesh {
    mesh.frustumCulled = false
    this.group.add(mesh)
    return mesh
  }

  /** Water between two frames; see `WaterFrames.show`. */
  show(before: Uint16Array, after: Uint16Array, share: number, timeS = 0): void {
    // What comes after a frame is before the next: it is on the card already.
    if (this.frames[1].image.data === before && this.frames[0].image.data !== before) this.frames.reverse()
    this.frames = [this.held(this.frames[0], before), this.held(this.frames[1], after)]
    const { uniforms } = this.ground
    uniforms.u_before.value = this.frames[0]
    uniforms.u_after.value = this.frames[1]
    uniforms.u_share.value = share
    uniforms.u_time.value = timeS
    uniforms.u_wet.value = true
    this.invalidate()
  }

  /** No water: a picture says what there is. */
  dry(): void {
    this.ground.uniforms.u_wet.value = false
    this.invalidate()
  }

  private held(texture: DataTexture, values: Uint16Array): DataTexture {
    if (texture.image.data === values) return texture
    const { ncols, nrows } = this.place
    if (texture.image.width !== ncols || texture.image.height !== nrows) {
      texture.dispose()
      return frameTexture(values, ncols, nrows)
    }
    texture.image.data = values as Uint16Array<ArrayBuffer>
    texture.needsUpdate = true
    return texture
  }

  setClasses(classes: readonly CodeClass[]): void {
    this.textures.palette.image.data = paletteOf(classes)
    this.textures.palette.needsUpdate = true
    this.ground.uniforms.u_fromMm.value = classes.length > 0 ? classes[0].from : 0xffff
    this.invalidate()
  }

  /** Colours of the ground, and of the houses. */
  setGround(picture: GridPicture, house: readonly number[]): void {
    this.set('land', picture)
    this.house.uniforms.u_color.value = new Vector3(...house.map((value) => value / 255))
    this.invalidate()
  }

  /** A map over the ground; null for none. */
  setLayer(picture: GridPicture | null): void {
    if (picture) this.set('layer', picture)
    this.ground.uniforms.u_layered.value = picture !== null
    this.invalidate()
  }

  private set(name: 'land' | 'layer', { width, height, data }: GridPicture): void {
    this.textures[name].dispose()
    this.textures[name] = textureOf(new Uint8Array(data.buffer), width, height, RGBAFormat, UnsignedByteType)
    this.ground.uniforms[`u_${name}`].value = this.textures[name]
  }

  /** How many times as steep as it is. */
  setRelief(times: number): void {
    for (const { uniforms } of [this.ground, this.house]) uniforms.u_relief.value = times
    this.invalidate()
  }

  /** Chooses what is drawn how finely; does nothing while the view stands still. @param heightPx of the picture */
  update(camera: Camera, heightPx: number): void {
    const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
    const relief = this.ground.uniforms.u_relief.value as number
    if (view.equals(this.last) && relief === this.lastRelief) return
    this.last = view
    this.lastRelief = relief
    const frustum = new Frustum().setFromProjectionMatrix(view)
    const { spheres, highM } = this.spans
    const eye = camera.position
    // Half the height of a picture at a distance of one.
    const half = 1 / camera.projectionMatrix.elements[5]
    const stride = strideOf(this.place) * this.place.cellSizeM
    const nearM = (stride * heightPx) / (2 * half * QUAD_PX)
    const probe = new Sphere()
    const up = (highM * relief) / 2
    const levels = chooseLevels(
      this.tiles,
      eye,
      nearM,
      (k) => {
        probe.copy(spheres[k])
        probe.center.y = up
        probe.radius = Math.hypot(probe.radius, up)
        return frustum.intersectsSphere(probe)
      },
      MOST_TRIANGLES - SPARE_TRIANGLES,
    )
    this.fill(levels)
  }

  private fill(levels: Int8Array): void {
    const counts = new Array<number>(GROUND_LEVELS).fill(0)
    const used = new Array<number>(HOUSE_LEVELS).fill(0)
    levels.forEach((level, k) => {
      if (level < 0) return
      const { col, row } = this.tiles[k]
      const places = this.grounds[level].geometry.attributes.a_tile.array as Float32Array
      places.set([col, row], 2 * counts[level]++)
      const fine = houseLevel(level)
      const { values, starts } = this.boxes[fine]
      const part = values.subarray(BOX_FIELDS * starts[k], BOX_FIELDS * starts[k + 1])
      ;(this.houses[fine].values.array as Float32Array).set(part, BOX_FIELDS * used[fine])
      used[fine] += part.length / BOX_FIELDS
    })
    this.grounds.forEach((mesh, level) => {
      instances(mesh, counts[level])
      const attribute = mesh.geometry.attributes.a_tile as BufferAttribute
      attribute.needsUpdate = true
    })
    this.houses.forEach(({ mesh, values }, level) => {
      instances(mesh, used[level])
      values.clearUpdateRanges()
      values.addUpdateRange(0, BOX_FIELDS * used[level])
      values.needsUpdate = true
    })
  }

  dispose(): void {
    for (const mesh of [...this.grounds, ...this.houses.map(({ mesh }) => mesh)]) mesh.geometry.dispose()
    for (const texture of [...Object.values(this.textures), ...this.frames]) texture.dispose()
    this.ground.dispose()
    this.house.dispose()
  }
}

function instances(mesh: Mesh, count: number): void {
  ;(mesh.geometry as ReturnType<typeof tileGeometry>).instanceCount = count
  mesh.visible = count > 0
}

function tilesOf({ nrows, ncols, cellSizeM }: Place, boxes: readonly Boxes[]): Tile[] {
  const span = TILE_QUADS * strideOf({ nrows, ncols })
  const across = Math.ceil(ncols / span)
  return Array.from({ length: across * Math.ceil(nrows / span) }, (_, k) => {
    const [row, col] = [Math.floor(k / across) * span, (k % across) * span]
    return {
      row,
      col,
      x: (col + span / 2 - ncols / 2) * cellSizeM,
      z: (row + span / 2 - nrows / 2) * cellSizeM,
      houses: boxes.map(({ starts }) => starts[k + 1] - starts[k]),
    }
  })
}

/** Nearest texel, no levels: shaders fetch cells by number. */
function textureOf(
  data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
  width: number,
  height: number,
  format: ConstructorParameters<typeof DataTexture>[3],
  type: ConstructorParameters<typeof DataTexture>[4],
): DataTexture {
  const texture = new DataTexture(data, width, height, format, type)
  texture.needsUpdate = true
  return texture
}

const frameTexture = (values: Uint16Array, width: number, height: number): DataTexture =>
  textureOf(values as Uint16Array<ArrayBuffer>, width, height, RedIntegerFormat, UnsignedShortType)
