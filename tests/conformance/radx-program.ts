import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export interface ProgramResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the `radx` program as a person would. */
export function radx(args: string[], env: Record<string, string>): Promise<ProgramResult> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['apps/server/bin/radx.js', ...args], {
      cwd: ROOT,
      env: { ...process.env, DEMO: '0', RADX_LOG: 'warn', ...env },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('error', fail)
    child.on('close', (code) => done({ code, stdout, stderr }))
  })
}
