import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './command.ts'

/**
 * A password typed twice without echo, or the first line of standard input when that is no terminal.
 * Never an argument: those show in the list of processes.
 * @throws UsageError when the two differ or nothing comes
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine()
  const first = await askHidden('Mot de passe : ')
  const second = await askHidden('Encore une fois : ')
  if (first !== second) throw new UsageError('les deux saisies diffèrent. Recommencer.')
  return first
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) return line
  throw new UsageError("aucun mot de passe reçu sur l'entrée standard.")
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}
