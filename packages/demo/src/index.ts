export { DEMO_SEED, Demo, type DemoOptions, STATION_FILE_MS } from './demo.ts'
export { type DemoGaugeSource, gaugeFileName } from './gauge-files.ts'
export { MRR_FILE_MS } from './mrr-files.ts'
export { type DemoFile, radarFileName } from './radar-files.ts'
