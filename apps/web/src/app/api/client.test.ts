import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { errorTexts } from '../../texts/shell.ts'
import { callJson } from './client.ts'

let close = () => undefined as unknown
afterEach(() => close())

/** Address of a server that does this with every call. */
async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close().closeAllConnections()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const late = { kind: 'timeout', message: errorTexts.timeout }

test('a server that never answers is told as late, not waited for without end', async () => {
  const url = await serverThat(() => undefined)
  await expect(callJson(url, { timeoutMs: 100 })).rejects.toMatchObject(late)
})

test('so is one that stops in the middle of its answer', async () => {
  const url = await serverThat((_request, response) => void response.writeHead(200).write('{"half":'))
  await expect(callJson(url, { timeoutMs: 100 })).rejects.toMatchObject(late)
})

test('an answer that is no JSON is told as unreadable', async () => {
  const url = await serverThat((_request, response) => void response.end('<html>'))
  await expect(callJson(url)).rejects.toMatchObject({ kind: 'unreadable', status: 200 })
})

test('a call that its own caller ends is passed on as that', async () => {
  const url = await serverThat(() => undefined)
  const reason = new Error('left the page')
  await expect(callJson(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
