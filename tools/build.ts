/**
 * Builds what does not run from source: `node tools/build.ts [part...]`. A part rebuilds only when a source is
 * newer than what it made.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '..')

function newest(dir: string): number {
  return Math.max(
    ...readdirSync(dir, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(dir, name)).mtimeMs,
    ),
  )
}

function isFresh(target: string, sourcesMs: number): boolean {
  return existsSync(target) && statSync(target).mtimeMs >= sourcesMs
}

const ONE_THREAD = ['--initialMemory', '1']
const THREADS = [
  ...['--enable', 'threads', '--sharedMemory'],
  ...['--initialMemory', '1', '--maximumMemory', '65536'],
]

/** Kernels of each package: assembly/NAME.ts becomes build/NAME.wasm. */
const KERNELS: Record<string, Record<string, string[]>> = {
  hydrology: {
    surface: ONE_THREAD,
    full: ONE_THREAD,
    sewer: ONE_THREAD,
    'sewer-explicit': ONE_THREAD,
    runoff: ONE_THREAD,
    'surface-threads': THREADS,
    'full-threads': THREADS,
  },
  motion: { fft: ONE_THREAD, follow: ONE_THREAD },
}

/** AssemblyScript kernels, to packages/PACKAGE/build/*.wasm. */
function buildKernels(): void {
  const asc = join(dirname(fileURLToPath(import.meta.resolve('assemblyscript/asc'))), '../bin/asc.js')
  for (const [name, kernels] of Object.entries(KERNELS)) {
    const base = join(root, 'packages', name)
    if (existsSync(join(base, 'assembly'))) buildPackage(asc, base, kernels)
  }
}

function buildPackage(asc: string, base: string, kernels: Record<string, string[]>): void {
  const transform = join(import.meta.dirname, 'kernel-transform.js')
  const sourcesMs = Math.max(
    newest(join(base, 'assembly')),
    ...[import.meta.filename, transform].map((path) => statSync(path).mtimeMs),
  )
  mkdirSync(join(base, 'build'), { recursive: true })
  const common = [
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--enable',
    'simd',
    '--importMemory',
    '--transform',
    transform,
    // Vectors pass between files of a kernel, never to its host.
    '--disableWarning',
    '112',
  ]
  for (const [name, options] of Object.entries(kernels)) {
    const target = join(base, 'build', `${name}.wasm`)
    if (isFresh(target, sourcesMs)) continue
    // Built beside and renamed, so that two builds at once cannot leave half a file.
    const temporary = join('build', `.${name}-${process.pid}.wasm`)
    execFileSync(process.execPath, [asc, `assembly/${name}.ts`, ...common, ...options, '-o', temporary], {
      cwd: base,
      stdio: 'inherit',
    })
    renameSync(join(base, temporary), target)
    console.log(`noyau ${name}.wasm : ${statSync(target).size} octets`)
  }
}

const PARTS: Record<string, () => void | Promise<void>> = {
  kernels: buildKernels,
  // Loaded on use: the bundler is large.
  web: async () => (await import('./build-web.ts')).buildWeb(),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((part) => !PARTS[part])
if (unknown.length > 0) {
  console.error(`Partie inconnue : ${unknown.join(', ')}. Parties : ${Object.keys(PARTS).join(', ')}.`)
  process.exit(64)
}
for (const part of wanted.length > 0 ? wanted : Object.keys(PARTS)) await PARTS[part]()
