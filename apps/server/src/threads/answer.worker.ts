/** Entry of a thread that makes answers: with connections and a reader of the store of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Catchments } from '../config/catchments.ts'
import { poolOptions } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { refreshMadeProducts } from '../store/made-products.ts'
import { openStore, type Store } from '../store/open-store.ts'
import type { AnswerKind, AnswerMessage, AnswerThreadData } from './answers.ts'
import { beNice, NICE } from './nice.ts'
import { toWireError } from './worker-pool.ts'

const CONNECTIONS = 4

beNice(NICE.answers)
const { config, site, catchments: collection } = workerData as AnswerThreadData
const catchments = new Catchments(collection)
const kinds = import(new URL('../answer-kinds.ts', import.meta.url).href).then(
  ({ answerKinds }: { answerKinds: readonly AnswerKind<unknown, unknown>[] }) =>
    new Map(answerKinds.map((kind) => [kind.name, kind])),
)

interface Opened {
  address: string
  db: Kysely<Database>
  store: Promise<Store>
}
let opened: Opened | null = null

/** The store behind a database; the one before is left when the database has moved. */
function open(connection: pg.ClientConfig): Opened {
  const address = JSON.stringify(connection)
  if (opened?.address === address) return opened
  opened?.db.destroy().catch(() => undefined)
  const pool = new pg.Pool(poolOptions(connection, CONNECTIONS))
  // A connection that breaks tells its statement; unheard here, it would end the thread.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const store = openStore({ db, config, site, catchments })
  const own: Opened = { address, db, store }
  store.catch(() => {
    if (opened === own) opened = null
    void db.destroy().catch(() => undefined)
  })
  opened = own
  return own
}

async function answer({ kind, input, nowMs, connection }: AnswerMessage): Promise<unknown> {
  const known = (await kinds).get(kind)
  if (!known) throw new Error(`unknown kind of answer: ${kind}`)
  const { db, store: opening } = open(connection)
  const store = await opening
  // Whoever asks knows of what was made a moment ago.
  await refreshMadeProducts(store.catalog, db, true)
  return known.run({ config, site, catchments, db, store, nowMs }, input)
}

/** Memory of a result's bytes that is its own, so that it can be handed over instead of copied. */
const ownMemory = (result: unknown): ArrayBuffer[] =>
  Object.values(result ?? {}).flatMap((value) =>
    value instanceof Uint8Array &&
    value.buffer instanceof ArrayBuffer &&
    value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  )

parentPort!.on('message', async ({ id, message }: { id: number; message: AnswerMessage }) => {
  try {
    const result = await answer(message)
    parentPort!.postMessage({ id, result }, ownMemory(result))
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
