import type { Config } from '../config/config.ts'
import type { Deps } from '../http/app.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { soundOriginal } from '../store/file-store.ts'
import type { Store } from '../store/open-store.ts'
import type { PreparedFrame } from '../store/prepared-frame.ts'
import type { RebuildOptions } from '../store/rebuild.ts'
import { chainOf, otherParts } from '../store/volume-parts.ts'
import type { WorkerPool } from '../threads/worker-pool.ts'
import { openDecoders } from './decoders.ts'
import type { FrameKind } from './frame-decoder.ts'

export interface Recovery {
  recover: RebuildOptions['recover']
  close(): Promise<void>
}

interface RecoveryContext {
  config: Config
  site: Deps['site']
  store: Store
}

/** Reads frames again from their archived files, in threads as when they came in or were made. */
export function openRecovery(context: RecoveryContext): Recovery {
  const { products } = context.store.catalog
  /** By made product; those of the site share one. */
  const pools = new Map<string | null, WorkerPool>()
  const poolOf = (name: string) => {
    const product = products.get(name)
    const key = product?.made ? name : null
    const pool = pools.get(key) ?? (product?.made ? openDecodersOf(context, product) : openDecoders(context))
    pools.set(key, pool)
    return pool
  }
  return {
    recover: (file) => decodeAgain(context.store, poolOf(file.product), file),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

/** Threads that make frames of a product that was made of kept volumes, by its own settings. */
export function openDecodersOf(context: RecoveryContext, product: StoredProduct): WorkerPool {
  const polarimetry = product.made?.settings ?? context.site.polarimetry
  return openDecoders({ ...context, site: { ...context.site, products: [product], polarimetry } })
}

/**
 * Makes the frame of an archived file, with what is kept of its volume, once more.
 * @returns null when the file is not there or damaged
 */
export async function decodeAgain(
  { files, context: { db } }: Store,
  decoders: WorkerPool,
  { hash, archivePath, kind, name, product }: Parameters<RebuildOptions['recover']>[0],
): Promise<PreparedFrame | null> {
  const path = await soundOriginal(files, archivePath, hash)
  if (path === null) return null
  const others: { name: string; path: string }[] = []
  for (const part of await otherParts(db, hash)) {
    const at = await soundOriginal(files, part.archivePath, part.hash)
    if (at !== null) others.push({ name: part.name, path: at })
  }
  const chain = await chainOf(db, hash)
  const { result } = await decoders.run<{ result: PreparedFrame }>({
    task: 'frame',
    kind: frameKind(kind, name),
    path,
    name,
    product: kind === 'odim' || /\.(vol|azi)$/i.test(name) ? product : null,
    fallbackProduct: product,
    others,
    isPartial: chain !== null,
    // As it was made, whatever other instruments told later.
    melting: chain?.melting ? [{ timeMs: chain.timeMs, layer: chain.melting }] : [],
  })
  return result
}

const frameKind = (kind: string, name: string): FrameKind =>
  kind === 'odim' ? 'odim' : /\.(vol|azi)$/i.test(name) ? 'rainbow5-volume' : 'rainbow5-product'
