import { FormatError } from '@radx/contracts/errors'
import { File, FS, type Group } from 'h5wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../testing/refusal.ts'
import {
  damaged,
  dataset,
  group,
  type Hdf5Format,
  hdf5Ready,
  numberAttribute,
  readNumbers,
  shapeOf,
  textAttribute,
  withHdf5,
} from './file.ts'
import { newHdf5 } from './write.ts'

beforeAll(hdf5Ready)

/** What `read` gives of a file that `fill` makes. */
async function inside<T>(
  fill: (file: File) => void,
  read: (root: Group) => T,
  format: Hdf5Format = 'odim',
): Promise<T> {
  return withHdf5(format, await newHdf5(fill), read)
}

describe('a file', () => {
  test('is told by its first eight bytes', async () => {
    const good = await newHdf5(() => {})
    for (let at = 0; at < 8; at++) {
      const bad = Uint8Array.from(good)
      bad[at] ^= 1
      const error = refusal(() => withHdf5('odim', bad, () => {}))
      expect(error.code).toBe('odim.notHdf5')
      expect(error.message).toContain("n'est pas au format HDF5. Vérifiez son extension et le dossier")
    }
    expect(withHdf5('odim', good, (root) => root.keys())).toEqual([])
  })

  test.each([
    ['odim', 'Téléchargez-le ou copiez-le de nouveau depuis sa source.'],
    ['mrrpro', "Copiez-le de nouveau depuis l'instrument."],
  ] as const)('of %s that does not open is damaged, for a reason', async (format, remedy) => {
    const cut = (await newHdf5((file) => void file.create_group('a'))).subarray(0, 200)
    const error = refusal(() => withHdf5(format, cut, () => {}))
    expect(error.code).toBe(`${format}.damaged`)
    expect(error.message).toBe(`Le fichier HDF5 est abîmé ou tronqué (il ne s'ouvre pas). ${remedy}`)
    // The innermost line of what the library says.
    expect(error.details.reason).toMatch(/^truncated file: eof = 200/)
    // What was said about that file is not said about the next.
    expect(damaged(format, 'x').details).toEqual(error.details)
    await inside(
      () => {},
      () => {},
    )
    expect(damaged(format, 'x').details).toEqual({})
  })

  test('without a byte is empty', () => {
    expect(refusal(() => withHdf5('odim', new Uint8Array(0), () => {})).code).toBe('odim.empty')
  })

  test('of which a part cannot be read is damaged, though the library gives zeros for it', async () => {
    const data = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i))
    const bytes = Buffer.from(
      await newHdf5((file) => {
        const shape = [1000]
        file.create_dataset({
          name: 'd',
          data,
          shape,
          chunks: shape,
          compression: 'gzip',
          compression_opts: [1],
        })
      }),
    )
    // 78 01: a zlib stream begins.
    const stream = bytes.indexOf(Buffer.of(0x78, 0x01))
    bytes.fill(0xff, stream + 2, stream + 40)
    const read = (root: Group) => readNumbers('odim', dataset(root, 'd')!)
    const error = refusal(() => withHdf5('odim', bytes, read))
    expect(error.code).toBe('odim.damaged')
    expect(error.message).toContain('(une partie est illisible)')
    expect(error.details.reason).toBe('filter returned failure during read')
  })

  test('whose reading fails in any way is damaged, and leaves nothing behind', async () => {
    const before = FS!.readdir('/').length
    const cause = new TypeError('some failure')
    const failing = inside(
      () => {},
      () => {
        throw cause
      },
    )
    await expect(failing).rejects.toThrow(expect.objectContaining({ code: 'odim.damaged', cause }))
    await expect(failing).rejects.toThrow('(illisible)')
    const own = new FormatError('odim.notRain', 'Ce fichier ne contient pas de pluie.')
    await expect(
      inside(
        () => {},
        () => {
          throw own
        },
      ),
    ).rejects.toBe(own)
    expect(FS!.readdir('/')).toHaveLength(before)
  })
})

test('groups and datasets are told apart by what they are', async () => {
  const found = await inside(
    (file) => {
      file.create_group('g')
      file.create_dataset({ name: 'd', data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] })
      file.create_dataset({ name: 's', data: Float64Array.of(7), shape: [] })
    },
    (root) => [
      group(root, 'g')?.path,
      group(root, 'd'),
      group(root, 'x'),
      dataset(root, 'g'),
      dataset(root, 'x'),
      shapeOf(dataset(root, 'd')!),
      shapeOf(dataset(root, 's')!),
      [...readNumbers('odim', dataset(root, 's')!)],
    ],
  )
  expect(found).toEqual(['/g', undefined, undefined, undefined, undefined, [2, 3], [], [7]])
})

describe('attributes', () => {
  const read = <T>(values: Record<string, unknown>, get: (near: Group, far: Group) => T) =>
    inside(
      (file) => {
        const near = file.create_group('near')
        for (const [name, value] of Object.entries(values)) near.create_attribute(name, value as never)
        const far = file.create_group('far')
        for (const name of ['text', 'number', ...Object.keys(values)])
          if (!(name in far.attrs)) far.create_attribute(name, name === 'text' ? 'far' : 99)
      },
      (root) => get(group(root, 'near')!, group(root, 'far')!),
    )

  test('of numbers: the first node that has a finite one, also as a text or alone in an array', async () => {
    const values = {
      whole: 5,
      part: -2.5,
      word: ' 7.5 ',
      array: Float64Array.of(3),
      long: BigInt64Array.of(4n),
      two: Float64Array.of(1, 2),
      letters: 'x',
      blank: ' ',
      nan: Number.NaN,
    }
    const names = [...Object.keys(values), 'number']
    expect(
      await read(values, (near, far) => names.map((name) => numberAttribute(name, undefined, near, far))),
    ).toEqual([5, -2.5, 7.5, 3, 4, 99, 99, 99, 99, 99])
    expect(
      await read(values, (near) => ['x', 'two', 'nan', 'blank'].map((name) => numberAttribute(name, near))),
    ).toEqual([undefined, undefined, undefined, undefined])
  })

  test('of more than 65,536 bytes are left alone', async () => {
    await hdf5Ready()
    // Files of earlier forms hold no attribute as large.
    const file = new File('/large.h5', 'w', { libver: 'latest' })
    for (const length of [65_536, 65_537])
      file.create_attribute(`t${length}`, 'x'.repeat(length), null, `A${length}`)
    file.close()
    const bytes = FS!.readFile('/large.h5') as Uint8Array
    FS!.unlink('/large.h5')
    const lengths = withHdf5('odim', bytes, (root) =>
      [65_536, 65_537].map((length) => textAttribute(`t${length}`, root)?.length),
    )
    expect(lengths).toEqual([65_536, undefined])
  })

  test('of text: the first node that has one, without what fills it up', async () => {
    const values = { plain: 'a b', padded: ' a\u0000\u0000', number: 5, several: ['a', 'b'], one: ['c'] }
    const names = [...Object.keys(values), 'text', 'x']
    expect(
      await read(values, (near, far) => names.map((name) => textAttribute(name, undefined, near, far))),
    ).toEqual(['a b', 'a', undefined, undefined, 'c', 'far', undefined])
  })
})

describe('numbers', () => {
  test.each([
    Int8Array,
    Uint8Array,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
  ])('%o comes as it is', async (type) => {
    const data = type.of(0, 1, 100)
    const read = await inside(
      (file) => void file.create_dataset({ name: 'd', data }),
      (root) => readNumbers('odim', dataset(root, 'd')!),
    )
    expect(read).toEqual(data)
  })

  test.each([BigInt64Array.of(1n, 5n), BigUint64Array.of(1n, 5n)])('%o comes as doubles', async (data) => {
    const read = await inside(
      (file) => void file.create_dataset({ name: 'd', data }),
      (root) => readNumbers('odim', dataset(root, 'd')!),
    )
    expect(read).toEqual(Float64Array.of(1, 5))
  })

  const refused = async (fill: (file: File) => void, says: string) => {
    const bytes = await newHdf5(fill)
    const error = refusal(() =>
      withHdf5('mrrpro', bytes, (root) => readNumbers('mrrpro', dataset(root, 'd')!)),
    )
    expect(error.code).toBe('mrrpro.damaged')
    expect(error.message).toContain(`(${says})`)
  }

  test('are no texts', async () => {
    await refused((file) => void file.create_dataset({ name: 'd', data: ['a'] }), "/d n'est pas numérique")
  })

  test('are no texts, which is told before their number', async () => {
    const many = (file: File) => {
      const made = file.create_dataset({
        name: 'd',
        data: ['a'],
        shape: [1],
        maxshape: [null],
        chunks: [4096],
      })
      made.resize([16 * 2 ** 20 + 1])
    }
    await refused(many, "/d n'est pas numérique")
  })

  test('stand alone, also as one of 64 bits', async () => {
    const read = await inside(
      (file) => void file.create_dataset({ name: 'd', data: BigInt64Array.of(-7n), shape: [] }),
      (root) => readNumbers('odim', dataset(root, 'd')!),
    )
    expect(read).toEqual(Float64Array.of(-7))
  })

  /** A file of one double, some bytes of whose description are others; its values were never written. */
  const changed = (description: number[], at: number, byte: number): Uint8Array => {
    const file = new File('/changed.h5', 'w', { libver: ['earliest', 'latest'] })
    file.create_dataset({ name: 'd', data: Float64Array.of(7), shape: [] })
    file.close()
    const bytes = Buffer.from(FS!.readFile('/changed.h5') as Uint8Array)
    FS!.unlink('/changed.h5')
    bytes[bytes.indexOf(Buffer.from(description)) + at] = byte
    const layout = bytes.indexOf(Buffer.of(8, 0, 24, 0, 0, 0, 0, 0, 3, 1))
    bytes.fill(0xff, layout + 10, layout + 18)
    return bytes
  }

  test('are 8 bytes wide at most', () => {
    const wide = changed([0x11, 0x20, 0x3f, 0, 8, 0, 0, 0], 4, 16)
    const error = refusal(() => withHdf5('odim', wide, (root) => readNumbers('odim', dataset(root, 'd')!)))
    expect(error.message).toContain("(/d n'est pas numérique)")
  })

  test('are none in a dataset without a place for any, which has no dimension', () => {
    const scalar = [1, 0, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    // Version 2 of a dataspace, which knows the null space.
    const bytes = Buffer.from(changed(scalar, 8, 2))
    bytes[bytes.indexOf(Buffer.from([...scalar.slice(0, 8), 2, 0, 0, 0])) + 11] = 2
    expect(withHdf5('odim', bytes, (root) => shapeOf(dataset(root, 'd')!))).toEqual([])
    const error = refusal(() => withHdf5('odim', bytes, (root) => readNumbers('odim', dataset(root, 'd')!)))
    expect(error.message).toContain("(/d n'est pas numérique)")
  })

  test('are 16 million at most, before they are read', async () => {
    const announced = (n: number) => (file: File) => {
      const data = new Uint8Array(4096)
      const made = file.create_dataset({ name: 'd', data, shape: [4096], maxshape: [n], chunks: [4096] })
      made.resize([n])
    }
    await refused(announced(16 * 2 ** 20 + 1), '/d annonce 16777217 valeurs')
    const read = await inside(
      announced(16 * 2 ** 20),
      (root) => readNumbers('odim', dataset(root, 'd')!).length,
    )
    expect(read).toBe(16 * 2 ** 20)
  })
})
