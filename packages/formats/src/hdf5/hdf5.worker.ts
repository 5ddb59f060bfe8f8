import { parentPort, workerData } from 'node:worker_threads'
import { FormatError } from '@radx/contracts/errors'
import { limitWasmMemory, memoryWasRefused } from './memory.ts'
import { FORMAT_OF, type Hdf5Answer, type Hdf5Jobs, type Hdf5Part, type Hdf5Request } from './protocol.ts'

limitWasmMemory((workerData as { maxMemoryMb: number }).maxMemoryMb * 2 ** 20)

// Only now, so that the library's memory is born under the limit.
const { readOdim } = await import('../odim/odim.ts')
const { readHdf5Volume } = await import('../volume/hdf5-volume.ts')
const { readNetcdfRain } = await import('../netcdf/rain-grids.ts')
const { readMrrPro } = await import('../mrrpro/mrrpro.ts')

async function read({ job, bytes, options }: Hdf5Request): Promise<Hdf5Jobs[keyof Hdf5Jobs]['result']> {
  if (job === 'odim') return readOdim(bytes, options)
  if (job === 'volume') return readHdf5Volume(bytes)
  if (job === 'netcdf') return readNetcdfRain(bytes)
  const file = await readMrrPro(bytes, options, (part) =>
    parentPort!.postMessage({ part } satisfies Hdf5Part, [part.values.buffer as ArrayBuffer]),
  )
  return { ...file, variables: {} }
}

function refusal(format: (typeof FORMAT_OF)[keyof typeof FORMAT_OF], error: unknown): Hdf5Answer {
  if (memoryWasRefused())
    return {
      ok: false,
      code: `${format}.memory`,
      message:
        'La lecture du fichier HDF5 demande plus de mémoire que permis, il est sans doute abîmé. Copiez-le de nouveau depuis sa source.',
      details: {},
      spent: true,
    }
  if (!(error instanceof FormatError)) throw error
  return {
    ok: false,
    code: error.code,
    message: error.message,
    details: error.details,
    spent: error.cause instanceof WebAssembly.RuntimeError,
  }
}

/** Buffers of the arrays in an answer, handed over instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer]
  if (typeof value !== 'object' || value === null) return []
  return [...new Set(Object.values(value).flatMap(buffersOf))]
}

parentPort!.on('message', async (request: Hdf5Request) => {
  let answer: Hdf5Answer
  try {
    answer = { ok: true, result: await read(request) }
  } catch (error) {
    answer = refusal(FORMAT_OF[request.job], error)
  }
  parentPort!.postMessage(answer, answer.ok ? buffersOf(answer.result) : [])
})

// Loading the library is no file's fault: time counts from here.
parentPort!.postMessage('ready')
