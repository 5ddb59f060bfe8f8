import { File, FS, ready } from 'h5wasm'
import { describe, expect, test } from 'vitest'
import { lateRefusal } from '../testing/refusal.ts'
import { type MrrProInput, type MrrProVariable, readMrrPro, writeMrrPro } from './mrrpro.ts'
import { readMrrProInWorker } from './worker.ts'

const input = (nprofiles: number, ngates: number, spacing = 50): MrrProInput => {
  const values = (scale: number) =>
    Float32Array.from({ length: nprofiles * ngates }, (_, i) => (i % 7 === 3 ? Number.NaN : scale * (i % 50)))
  return {
    instrumentName:
      'METEK MRR Pro 1.2.5, ID: MRRPro91, METEK Serial Number:  0514068586, Software:  MRR Pro 1.2.5',
    siteName: 'École',
    lat: 48.841,
    lon: 2.587,
    altitudeM: 97,
    timesMs: Float64Array.from({ length: nprofiles }, (_, i) => Date.UTC(2023, 2, 22, 1, 40) + 10_000 * i),
    heightsM: Float32Array.from({ length: ngates }, (_, i) => (i + 1) * spacing),
    variables: {
      LWC: values(0.01),
      RR: values(0.1),
      Ze: values(0.5),
      Z: values(0.4),
      VEL: values(0.1),
      WIDTH: values(0.02),
      ML: values(0),
    },
  }
}

const code = async (bytes: Uint8Array) => (await lateRefusal(readMrrPro(bytes))).code

describe('writing MRR-PRO files', () => {
  test.each([
    [60, 128, 50],
    [1, 2, 10],
    [360, 31, 35.5],
  ])('%i profiles of %i gates every %f m read back', async (nprofiles, ngates, spacing) => {
    const written = input(nprofiles, ngates, spacing)
    const read = await readMrrPro(await writeMrrPro(written))
    expect(read).toEqual({ ...written, kind: 'mrrpro', firmware: '1.2.5', nprofiles, ngates })
  })

  test('of the variables only those asked for are read, and LWC', async () => {
    const bytes = await writeMrrPro(input(6, 16))
    const all = await readMrrPro(bytes)
    const { variables, ...rest } = await readMrrPro(bytes, { only: ['VEL'] })
    expect(variables).toEqual({ LWC: all.variables.LWC, VEL: all.variables.VEL })
    expect({ ...rest, variables: all.variables }).toEqual(all)
  })

  test('read in its thread, variables come one by one before the file, with its axes and its values', async () => {
    const bytes = await writeMrrPro(input(6, 16))
    const told: MrrProVariable[] = []
    let ended = false
    const reading = readMrrProInWorker(bytes, { only: ['RR', 'VEL'] }, (variable) => {
      expect(ended).toBe(false)
      told.push(variable)
    })
    const file = await reading.finally(() => {
      ended = true
    })
    expect(file).toEqual(await readMrrPro(bytes, { only: ['RR', 'VEL'] }))
    expect(told).toEqual(
      (['LWC', 'RR', 'VEL'] as const).map((name) => ({
        name,
        timesMs: file.timesMs,
        heightsM: file.heightsM,
        values: file.variables[name],
      })),
    )
  })

  test('a position that was never set stays unset', async () => {
    const read = await readMrrPro(
      await writeMrrPro({ ...input(2, 4), lat: null, lon: null, altitudeM: null }),
    )
    expect([read.lat, read.lon, read.altitudeM]).toEqual([null, null, null])
  })

  test('the same input gives the same bytes, whenever it is written', async () => {
    const now = Date.now
    const written = async (hour: number) => {
      Date.now = () => Date.UTC(2024, 0, 1, hour)
      return writeMrrPro(input(6, 16)).finally(() => {
        Date.now = now
      })
    }
    expect(Buffer.compare(await written(1), await written(5))).toBe(0)
  })

  test('dimensions, types, units and fill values are those of the instrument', async () => {
    await ready
    FS!.writeFile('/check.nc', await writeMrrPro(input(6, 16)))
    const file = new File('/check.nc', 'r')
    const lwc = file.get('LWC') as import('h5wasm').Dataset
    expect([lwc.dtype, lwc.shape, lwc.get_attribute('units', true)]).toEqual(['<d', [6, 16], 'g m-3'])
    expect(lwc.get_attached_scales(0)).toEqual(['/time'])
    expect(lwc.get_attached_scales(1)).toEqual(['/range'])
    expect(lwc.attrs._FillValue.value).toEqual(Float64Array.of(Number.NaN))
    expect((file.get('VEL') as import('h5wasm').Dataset).dtype).toBe('<f')
    expect((file.get('range') as import('h5wasm').Dataset).attrs.meters_between_gates.value).toEqual(
      Float32Array.of(50),
    )
    file.close()
    FS!.unlink('/check.nc')
  })

  test('values that do not fill the profiles are an error of the caller', async () => {
    const wrong = input(2, 4)
    wrong.variables.RR = new Float32Array(7)
    await expect(writeMrrPro(wrong)).rejects.toThrow(RangeError)
  })
})

describe('refusals', () => {
  /** A file whose structure `change` has spoilt. */
  async function spoilt(change: (file: File) => void): Promise<Uint8Array> {
    FS!.writeFile('/spoilt.nc', await writeMrrPro(input(3, 4)))
    const file = new File('/spoilt.nc', 'a')
    change(file)
    file.close()
    const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile('/spoilt.nc')
    FS!.unlink('/spoilt.nc')
    return bytes
  }

  test('empty, too large, not HDF5 and cut short', async () => {
    const good = await writeMrrPro(input(3, 4))
    expect(await code(new Uint8Array(0))).toBe('mrrpro.empty')
    expect(await code(new Uint8Array(257 * 2 ** 20))).toBe('mrrpro.tooLarge')
    expect(await code(Buffer.from('CDF\u0001 classic netCDF'))).toBe('mrrpro.notHdf5')
    for (const part of [0.1, 0.5, 0.9, 0.99])
      expect(await code(good.subarray(0, Math.floor(good.length * part)))).toBe('mrrpro.damaged')
  })

  test('a missing or misshapen variable', async () => {
    await ready
    const other = await spoilt((file) => {
      file.create_dataset({ name: 'SNR', data: new Float32Array(6), shape: [2, 3] })
    })
    expect(await code(other)).toBe('mrrpro.damaged')
    FS!.writeFile('/empty.nc', new Uint8Array(0))
    const bare = new File('/bare.nc', 'w')
    bare.create_dataset({ name: 'range', data: Float32Array.of(1, 2) })
    bare.close()
    const bytes = (FS as unknown as { readFile(path: string): Uint8Array }).readFile('/bare.nc')
    expect(await code(bytes)).toBe('mrrpro.badHeader')
  })

  test('times in a unit that is no unit', async () => {
    const bytes = await spoilt((file) => {
      const time = file.get('time') as import('h5wasm').Dataset
      time.delete_attribute('units')
      time.create_attribute('units', 'fortnights since the flood')
    })
    expect(await code(bytes)).toBe('mrrpro.badHeader')
  })
})
