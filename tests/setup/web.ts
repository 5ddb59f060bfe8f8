import { buildWeb } from '../../tools/build-web.ts'

/** The web application as it is now, built once a run and only when its sources changed. */
export default async function setup(): Promise<void> {
  await buildWeb()
}
