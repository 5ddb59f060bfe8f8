// A further thread of the surface kernel: leaves when the kernel is disposed of.
import { workerData } from 'node:worker_threads'
import { runSurfaceThread } from '@radx/hydrology/surface/simd'
import type { ThreadMessage } from '@radx/hydrology/surface/types'

runSurfaceThread(workerData as ThreadMessage)
