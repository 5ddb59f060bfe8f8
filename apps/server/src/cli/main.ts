import { RadxError } from '@radx/contracts'
import { listText } from './args.ts'
import { type Command, EXIT, UsageError } from './command.ts'
import { csvDialect } from './csv-out.ts'

// Loaded on use, so that `radx sewer` needs neither the database nor the web server.
const COMMANDS: Record<string, () => Promise<{ command: Command }>> = {
  serve: () => import('./serve.ts'),
  catchment: () => import('./catchment.ts'),
  simulate: () => import('./simulate.ts'),
  calibrate: () => import('./calibrate.ts'),
  sewer: () => import('./sewer.ts'),
  nowcast: () => import('./nowcast.ts'),
  floods: () => import('./floods.ts'),
  shapefile: () => import('./shapefile.ts'),
  user: () => import('./user.ts'),
  token: () => import('./token.ts'),
  audit: () => import('./audit.ts'),
  admin: () => import('./admin.ts'),
  worker: () => import('./worker.ts'),
  export: () => import('./export.ts'),
  ingest: () => import('./ingest.ts'),
  backup: () => import('./backup.ts'),
  rebuild: () => import('./rebuild.ts'),
  reprocess: () => import('./reprocess.ts'),
  prune: () => import('./prune.ts'),
  verify: () => import('./verify.ts'),
  demo: () => import('./demo.ts'),
  storm: () => import('./storm.ts'),
  report: () => import('./report.ts'),
  'return-period': () => import('./return-period.ts'),
  multifractal: () => import('./multifractal.ts'),
  downscale: () => import('./downscale.ts'),
  adjust: () => import('./adjust.ts'),
  volume: () => import('./volume.ts'),
}

/** Runs a command line; resolves to the exit code. */
export async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const loading = Object.entries(COMMANDS).map(
      async ([key, load]) => [key, (await load()).command] as const,
    )
    console.log(listText('radx', Object.fromEntries(await Promise.all(loading))))
    return name === undefined ? EXIT.usage : EXIT.ok
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!load) {
    console.error(`radx : commande inconnue « ${name} ». radx --help donne la liste.`)
    return EXIT.usage
  }
  try {
    // Before anything is computed that could not be written.
    csvDialect()
    return await (await load()).command.run(args)
  } catch (error) {
    if (error instanceof RadxError) {
      console.error(`radx ${name} : ${error.message}`)
      return error instanceof UsageError ? EXIT.usage : EXIT.failed
    }
    console.error(`radx ${name} : erreur inattendue`, error)
    return EXIT.internal
  }
}
