import { parentPort, workerData } from 'node:worker_threads'
import { type OtherMethodTask, runOtherMethod } from './surcharge.ts'

runOtherMethod(workerData as OtherMethodTask).then((results) => parentPort?.postMessage(results))
