/** The town in three dimensions: ground, houses, water on it, sewer below. */
import * as THREE from 'three'
import type { FilmRun } from './film-run.ts'
import { groundM, HOUSE, hash, houseHeightM, paintGround, WATER } from './ground.ts'
import { HEIGHT, WIDTH } from './story.ts'

/** Heights are drawn larger than they are. */
const RISE = 2.2
const BACKGROUND = 0x0a1216
const BASE_M = 18

/** What a frame shows. */
export interface Shot {
  minute: number
  eye: THREE.Vector3
  target: THREE.Vector3
  /** 0: the town as it is; 1: it hovers over its sewer, half transparent. */
  lifted: number
  /** 0: water of the moment; 1: largest depths in the colours of the result. */
  result: number
  /** Brightness of the scene, 0 to 1. */
  light: number
}

const LIFT = 330

export class TownScene {
  readonly renderer: THREE.WebGLRenderer
  private readonly scene = new THREE.Scene()
  private readonly camera = new THREE.PerspectiveCamera(32, WIDTH / HEIGHT, 20, 20_000)
  private readonly town = new THREE.Group()
  private readonly fog = new THREE.Fog(BACKGROUND)
  private readonly run: FilmRun
  private readonly ground: Float32Array
  private readonly water: Water
  private readonly sewer: SewerView
  private readonly faded: THREE.Material[] = []

  constructor(run: FilmRun) {
    this.run = run
    this.ground = groundM(run)
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true })
    this.renderer.setSize(WIDTH, HEIGHT, false)
    this.renderer.setClearColor(BACKGROUND)
    this.scene.fog = this.fog
    const sun = new THREE.DirectionalLight(0xfff1dc, 2.1)
    sun.position.set(-0.8, 0.9, -0.62)
    this.scene.add(sun, new THREE.HemisphereLight(0xa9c4d4, 0x3a474e, 1.6))
    this.water = new Water(run, this.ground)
    this.sewer = new SewerView(run)
    this.town.add(this.land(), this.sides(), this.houses(), this.water.mesh)
    this.scene.add(this.town, this.sewer.group)
  }

  /** Place of a cell's middle in the scene, m, the catchment's middle in the origin. */
  place(row: number, col: number): THREE.Vector3 {
    const { nrows, ncols, cellSizeM } = this.run
    const r = Math.min(nrows - 1, Math.max(0, Math.round(row)))
    const c = Math.min(ncols - 1, Math.max(0, Math.round(col)))
    const z = this.ground[r * ncols + c]
    return new THREE.Vector3(
      (col + 0.5 - ncols / 2) * cellSizeM,
      (Number.isNaN(z) ? BASE_M : z) * RISE,
      (row + 0.5 - nrows / 2) * cellSizeM,
    )
  }

  draw(shot: Shot): void {
    const { minute, eye, target, lifted, result, light } = shot
    this.camera.position.copy(eye)
    this.camera.lookAt(target)
    this.fog.near = eye.distanceTo(target) + 1900
    this.fog.far = eye.distanceTo(target) + 6500
    this.town.position.y = lifted * LIFT
    for (const material of this.faded) {
      // The shader of an opaque material has no transparency in it.
      if (material.transparent !== lifted > 0) material.needsUpdate = true
      material.transparent = lifted > 0
      material.opacity = 1 - 0.76 * lifted
    }
    this.water.set(minute, result, 1 - 0.45 * lifted, this.fog)
    this.sewer.group.visible = lifted > 0.001
    this.sewer.set(minute, lifted, LIFT)
    this.renderer.toneMappingExposure = light
    this.renderer.toneMapping = THREE.LinearToneMapping
    this.renderer.render(this.scene, this.camera)
  }

  private land(): THREE.Mesh {
    const texture = new THREE.CanvasTexture(paintGround(this.run, this.ground))
    texture.colorSpace = THREE.SRGBColorSpace
    texture.anisotropy = 2
    const material = new THREE.MeshBasicMaterial({ map: texture })
    this.faded.push(material)
    return new THREE.Mesh(
      gridGeometry(this.run, (row, col) => this.place(row, col)),
      material,
    )
  }

  /** The catchment is a block cut out of the land. */
  private sides(): THREE.Mesh {
    const { nrows, ncols } = this.run
    const inside = insideOf(this.run)
    const points: number[] = []
    const wall = (a: THREE.Vector3, b: THREE.Vector3) => {
      const y = BASE_M * RISE
      points.push(a.x, a.y, a.z, b.x, b.y, b.z, a.x, y, a.z, b.x, b.y, b.z, b.x, y, b.z, a.x, y, a.z)
    }
    const quad = (row: number, col: number) =>
      row >= 0 &&
      col >= 0 &&
      row < nrows - 1 &&
      col < ncols - 1 &&
      inside(row, col) &&
      inside(row + 1, col) &&
      inside(row, col + 1) &&
      inside(row + 1, col + 1)
    for (let row = 0; row < nrows - 1; row++)
      for (let col = 0; col < ncols - 1; col++) {
        if (!quad(row, col)) continue
        const at = (r: number, c: number) => this.place(r, c)
        if (!quad(row - 1, col)) wall(at(row, col), at(row, col + 1))
        if (!quad(row + 1, col)) wall(at(row + 1, col + 1), at(row + 1, col))
        if (!quad(row, col - 1)) wall(at(row + 1, col), at(row, col))
        if (!quad(row, col + 1)) wall(at(row, col + 1), at(row + 1, col + 1))
      }
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3))
    const material = new THREE.MeshBasicMaterial({ color: 0x18252b, side: THREE.DoubleSide })
    this.faded.push(material)
    return new THREE.Mesh(geometry, material)
  }

  private houses(): THREE.InstancedMesh {
    const { codes, ncols, cellSizeM } = this.run
    const cells = [...codes.keys()].filter((k) => codes[k] === HOUSE)
    const box = new THREE.BoxGeometry(1, 1, 1)
    box.translate(0, 0.5, 0)
    const material = new THREE.MeshLambertMaterial()
    this.faded.push(material)
    const mesh = new THREE.InstancedMesh(box, material, cells.length)
    const matrix = new THREE.Matrix4()
    const color = new THREE.Color()
    cells.forEach((cell, k) => {
      const [row, col] = [Math.floor(cell / ncols), cell % ncols]
      const foot = this.place(row, col)
      const height = houseHeightM(row, col) * 1.5 + 6
      matrix.makeScale(cellSizeM * 0.98, height, cellSizeM * 0.98)
      matrix.setPosition(foot.x, foot.y - 6, foot.z)
      mesh.setMatrixAt(k, matrix)
      const tone = 0.5 + 0.16 * hash(row + 7, col)
      mesh.setColorAt(k, color.setRGB(tone * 1.02, tone, tone * 0.95))
    })
    return mesh
  }
}

const insideOf =
  ({ elevationM, ncols }: FilmRun) =>
  (row: number, col: number): boolean =>
    !Number.isNaN(elevationM[row * ncols + col])

/** One vertex a cell, a square between four cells that all lie inside. `uv` runs over the whole grid. */
function gridGeometry(
  run: FilmRun,
  place: (row: number, col: number) => THREE.Vector3,
): THREE.BufferGeometry {
  const { nrows, ncols } = run
  const inside = insideOf(run)
  const points = new Float32Array(nrows * ncols * 3)
  const uv = new Float32Array(nrows * ncols * 2)
  const index: number[] = []
  for (let row = 0; row < nrows; row++)
    for (let col = 0; col < ncols; col++) {
      const k = row * ncols + col
      place(row, col).toArray(points, 3 * k)
      uv[2 * k] = (col + 0.5) / ncols
      uv[2 * k + 1] = 1 - (row + 0.5) / nrows
      if (row === nrows - 1 || col === ncols - 1) continue
      if (inside(row, col) && inside(row, col + 1) && inside(row + 1, col) && inside(row + 1, col + 1))
        index.push(k, k + ncols, k + 1, k + 1, k + ncols, k + ncols + 1)
    }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3))
  geometry.setAttribute('uv', new THREE.BufferAttribute(uv, 2))
  geometry.setIndex(index)
  return geometry
}

/** Water on the ground between two minutes of the run. */
class Water {
  readonly mesh: THREE.Mesh
  private readonly run: FilmRun
  private readonly material: THREE.ShaderMaterial
  private readonly textures = new Map<number, THREE.DataTexture>()

  constructor(run: FilmRun, ground: Float32Array) {
    this.run = run
    const { nrows, ncols, cellSizeM } = run
    this.material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      uniforms: {
        a: { value: null },
        b: { value: null },
        most: { value: this.texture(run.maxDepthM, 1) },
        mixed: { value: 0 },
        result: { value: 0 },
        opacity: { value: 1 },
        rise: { value: RISE },
        near: { value: 0 },
        end: { value: 0 },
      },
      vertexShader: /* glsl */ `
        uniform sampler2D a, b;
        uniform float mixed, rise;
        varying vec2 at;
        varying float far;
        void main() {
          at = uv;
          float depth = mix(texture2D(a, uv).r, texture2D(b, uv).r, mixed);
          vec4 seen = modelViewMatrix * vec4(position + vec3(0.0, 1.2 + min(depth, 1.5) * rise, 0.0), 1.0);
          far = -seen.z;
          gl_Position = projectionMatrix * seen;
        }`,
      fragmentShader: /* glsl */ `
        uniform sampler2D a, b, most;
        uniform float mixed, result, opacity, near, end;
        varying vec2 at;
        varying float far;
        vec3 ramp(float d) {
          vec3 c = mix(vec3(0.05, 0.33, 0.60), vec3(0.05, 0.60, 0.90), smoothstep(0.03, 0.12, d));
          c = mix(c, vec3(0.35, 0.90, 1.0), smoothstep(0.12, 0.35, d));
          return mix(c, vec3(0.92, 1.0, 1.0), smoothstep(0.35, 0.9, d));
        }
        vec3 turbo(float x) {
          const vec4 r4 = vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234);
          const vec4 g4 = vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333);
          const vec4 b4 = vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771);
          const vec2 r2 = vec2(-152.94239396, 59.28637943);
          const vec2 g2 = vec2(4.27729857, 2.82956604);
          const vec2 b2 = vec2(-89.90310912, 27.34824973);
          vec4 v4 = vec4(1.0, x, x * x, x * x * x);
          vec2 v2 = v4.zw * v4.z;
          return vec3(dot(v4, r4) + dot(v2, r2), dot(v4, g4) + dot(v2, g2), dot(v4, b4) + dot(v2, b2));
        }
        void main() {
          float d = mix(texture2D(a, at).r, texture2D(b, at).r, mixed);
          float m = result > 0.0 ? texture2D(most, at).r : 0.0;
          if (max(d * (1.0 - result), m) < 0.025) discard;
          vec4 color = vec4(ramp(d), smoothstep(0.025, 0.07, d) * 0.92);
          if (result > 0.0) {
            vec4 then = vec4(turbo(clamp(0.12 + 0.8 * sqrt(m), 0.0, 0.95)), smoothstep(0.025, 0.05, m) * 0.95);
            color = mix(color, then, result);
          }
          color.rgb = mix(color.rgb, vec3(0.039, 0.071, 0.086), smoothstep(near, end, far));
          gl_FragColor = vec4(color.rgb, color.a * opacity);
        }`,
    })
    const half = { row: nrows / 2, col: ncols / 2 }
    this.mesh = new THREE.Mesh(
      gridGeometry(run, (row, col) => {
        const z = ground[row * ncols + col]
        return new THREE.Vector3(
          (col + 0.5 - half.col) * cellSizeM,
          (Number.isNaN(z) ? 0 : z) * RISE,
          (row + 0.5 - half.row) * cellSizeM,
        )
      }),
      this.material,
    )
  }

  set(minute: number, result: number, opacity: number, fog: THREE.Fog): void {
    const { minutes } = this.run
    const before = Math.min(minutes - 1, Math.max(0, Math.floor(minute)))
    const { uniforms } = this.material
    uniforms.a.value = this.minute(before)
    uniforms.b.value = this.minute(before + 1)
    uniforms.mixed.value = Math.min(1, Math.max(0, minute - before))
    uniforms.result.value = result
    uniforms.opacity.value = opacity
    uniforms.near.value = fog.near
    uniforms.end.value = fog.far
  }

  private minute(minute: number): THREE.DataTexture {
    let texture = this.textures.get(minute)
    if (texture === undefined) {
      const { depthMm, codes } = this.run
      texture = this.texture(depthMm.subarray(minute * codes.length, (minute + 1) * codes.length), 0.001)
      this.textures.set(minute, texture)
    }
    return texture
  }

  /** Depth in m. Under a house stands the water of the street beside it, so that it reaches the wall. */
  private texture(values: ArrayLike<number>, scale: number): THREE.DataTexture {
    const { codes, nrows, ncols } = this.run
    const data = new Uint16Array(codes.length)
    const depth = (row: number, col: number) => {
      if (row < 0 || col < 0 || row >= nrows || col >= ncols) return 0
      const k = row * ncols + col
      return codes[k] === HOUSE || codes[k] === WATER || codes[k] < 0 ? 0 : values[k] * scale
    }
    for (let row = 0; row < nrows; row++)
      for (let col = 0; col < ncols; col++) {
        const k = row * ncols + col
        const d =
          codes[k] === HOUSE
            ? Math.max(depth(row - 1, col), depth(row + 1, col), depth(row, col - 1), depth(row, col + 1))
            : depth(row, col)
        // Row 0 of a texture lies at v = 0, in the south.
        data[(nrows - 1 - row) * ncols + col] = THREE.DataUtils.toHalfFloat(d)
      }
    const texture = new THREE.DataTexture(data, ncols, nrows, THREE.RedFormat, THREE.HalfFloatType)
    texture.magFilter = THREE.LinearFilter
    texture.minFilter = THREE.LinearFilter
    texture.needsUpdate = true
    return texture
  }
}

const FILLING: [share: number, color: THREE.Color][] = [
  [0, new THREE.Color(0x1d5166)],
  [0.25, new THREE.Color(0x1fa5d8)],
  [0.5, new THREE.Color(0x8fe3f5)],
  [0.75, new THREE.Color(0xffb63d)],
  [1, new THREE.Color(0xff4a2e)],
]

/** Pipes, coloured by how full they are, and columns of light over nodes that overflow. */
class SewerView {
  readonly group = new THREE.Group()
  private readonly run: FilmRun
  private readonly pipes: THREE.InstancedMesh
  private readonly columns: THREE.InstancedMesh
  private readonly links: number[]
  private readonly nodes: number[]
  private readonly at: (node: number) => THREE.Vector3

  constructor(run: FilmRun) {
    this.run = run
    const { nodes, links, nrows, ncols, cellSizeM } = run
    this.at = (node) => {
      const { at, invertM } = nodes[node]
      return new THREE.Vector3(
        ((at?.col ?? 0) + 0.5 - ncols / 2) * cellSizeM,
        invertM * RISE,
        ((at?.row ?? 0) + 0.5 - nrows / 2) * cellSizeM,
      )
    }
    this.links = [...links.keys()].filter((k) => nodes[links[k].from].at && nodes[links[k].to].at)
    this.nodes = [...nodes.keys()].filter((k) => nodes[k].at !== null)
    const tube = new THREE.CylinderGeometry(1, 1, 1, 7, 1)
    tube.rotateX(Math.PI / 2)
    this.pipes = new THREE.InstancedMesh(
      tube,
      new THREE.MeshBasicMaterial({ transparent: true, toneMapped: false }),
      this.links.length,
    )
    const matrix = new THREE.Matrix4()
    this.links.forEach((link, k) => {
      const { from, to, diameterM } = links[link]
      const [a, b] = [this.at(from), this.at(to)]
      const radius = 4.5 + 7 * diameterM
      matrix.lookAt(a, b, new THREE.Vector3(0, 1, 0))
      matrix.scale(new THREE.Vector3(radius, radius, a.distanceTo(b) + radius))
      matrix.setPosition(a.clone().add(b).multiplyScalar(0.5))
      this.pipes.setMatrixAt(k, matrix)
    })
    const column = new THREE.CylinderGeometry(5, 5, 1, 8, 1, true)
    column.translate(0, 0.5, 0)
    this.columns = new THREE.InstancedMesh(
      column,
      new THREE.MeshBasicMaterial({
        color: 0xff7a4d,
        transparent: true,
        opacity: 0.45,
        depthWrite: false,
        toneMapped: false,
      }),
      this.nodes.length,
    )
    // Drawn before the town that hovers over them, which lets them through.
    this.pipes.renderOrder = -2
    this.columns.renderOrder = -1
    this.group.add(this.pipes, this.columns)
  }

  set(minute: number, shown: number, lift: number): void {
    const { links, nodes, minutes, filling, overflowing } = this.run
    const before = Math.min(minutes - 1, Math.max(0, Math.floor(minute)))
    const mixed = Math.min(1, Math.max(0, minute - before))
    const between = (series: Uint8Array, count: number, k: number) =>
      series[before * count + k] * (1 - mixed) + series[(before + 1) * count + k] * mixed
    const color = new THREE.Color()
    this.links.forEach((link, k) => {
      this.pipes.setColorAt(k, fillingColor(between(filling, links.length, link) / 255, color))
    })
    if (this.pipes.instanceColor) this.pipes.instanceColor.needsUpdate = true
    ;(this.pipes.material as THREE.Material).opacity = shown
    const matrix = new THREE.Matrix4()
    this.nodes.forEach((node, k) => {
      const height = between(overflowing, nodes.length, node) * lift * shown
      matrix.makeScale(height > 0 ? 1 : 0, height, height > 0 ? 1 : 0)
      matrix.setPosition(this.at(node))
      this.columns.setMatrixAt(k, matrix)
    })
    this.columns.instanceMatrix.needsUpdate = true
  }
}

function fillingColor(share: number, into: THREE.Color): THREE.Color {
  const next = FILLING.findIndex(([at]) => at >= share)
  if (next <= 0) return into.copy(FILLING[Math.max(0, next)][1])
  const [[from, a], [to, b]] = [FILLING[next - 1], FILLING[next]]
  return into.lerpColors(a, b, (share - from) / (to - from))
}
