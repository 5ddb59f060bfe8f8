export { type Anchor, LATEST_MS, stormPeriod } from './anchor.ts'
export { DEMO_SEED, Demo, type DemoOptions, STATION_FILE_MS } from './demo.ts'
export { type DemoGaugeSource, gaugeFileName } from './gauge-files.ts'
export { MRR_FILE_MS } from './mrr-files.ts'
export { type DemoFile, radarFileName } from './radar-files.ts'
export {
  VOLUME_EVERY_MS,
  VOLUME_PRODUCT,
  VOLUMES_KEPT,
  volumeInstants,
  withoutVolumes,
  withVolumes,
} from './volume-product.ts'
