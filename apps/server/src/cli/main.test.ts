import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runNode } from '../testing/processes.ts'
import { runCommand } from './testing/run-command.ts'

const run = (args: string[]) => runCommand(...args)

test.each<[string[], number, RegExp]>([
  [['--help'], 0, /Usage : radx <commande>[\s\S]*serve/],
  [[], 64, /Usage : radx/],
  [['nope'], 64, /commande inconnue « nope »/],
  [['constructor'], 64, /commande inconnue/],
  [['catchment', '--help'], 0, /Usage : radx catchment <commande>[\s\S]*import/],
  [['catchment'], 64, /Usage : radx catchment/],
  [['catchment', 'nope'], 64, /commande inconnue « nope ». radx catchment --help/],
  [['catchment', 'constructor'], 64, /commande inconnue/],
  [['catchment', 'import'], 64, /il manque DOSSIER/],
  [['serve', '--help'], 0, /Usage : radx serve[\s\S]*DATABASE_URL/],
  [['serve', '--nope'], 64, /option --nope inconnue/],
  [['serve', '--port'], 64, /l'option --port attend une valeur/],
  [['serve', 'extra'], 64, /argument « extra » en trop/],
])('radx %j ends with %i', async (args, code, said) => {
  const { exit, text } = await run(args)
  expect([exit, text]).toEqual([code, expect.stringMatching(said)])
})

test('a setting that is wrong is named, in French, without a stack', async () => {
  const program = runNode([join(import.meta.dirname, '../../bin/radx.js'), 'serve'], { PORT: 'abc' })
  expect(await program.exit).toBe(1)
  expect(program.lines).toEqual([
    'radx serve : Variable PORT « abc » : un nombre entier de 0 à 65535 est attendu.',
  ])
})
