import type { Config } from '../config/config.ts'
import type { Deps } from '../http/app.ts'
import { soundOriginal } from '../store/file-store.ts'
import type { Store } from '../store/open-store.ts'
import type { PreparedFrame } from '../store/prepared-frame.ts'
import type { RebuildOptions } from '../store/rebuild.ts'
import { openDecoders } from './decoders.ts'
import type { FrameKind } from './frame-decoder.ts'

export interface Recovery {
  recover: RebuildOptions['recover']
  close(): Promise<void>
}

/** Reads frames again from their archived files, in threads as when they came in. */
export function openRecovery(context: { config: Config; site: Deps['site']; store: Store }): Recovery {
  const decoders = openDecoders(context)
  return {
    async recover({ hash, archivePath, kind, name, product }) {
      const path = await soundOriginal(context.store.files, archivePath, hash)
      if (path === null) return null
      const { result } = await decoders.run<{ result: PreparedFrame }>({
        task: 'frame',
        kind: frameKind(kind, name),
        path,
        name,
        product: kind === 'odim' || /\.(vol|azi)$/i.test(name) ? product : null,
        fallbackProduct: product,
      })
      return result
    },
    close: () => decoders.close(),
  }
}

const frameKind = (kind: string, name: string): FrameKind =>
  kind === 'odim' ? 'odim' : /\.(vol|azi)$/i.test(name) ? 'rainbow5-volume' : 'rainbow5-product'
