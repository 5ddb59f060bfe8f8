import { doneSchema, eraseBodySchema, ownDataSchema } from '@radx/contracts'
import { originOf, record } from '../audit/api.ts'
import type { App, Deps } from '../http/app.ts'
import { isManager, type Session } from '../http/sessions.ts'
import { draftHome, networkHome, openFileStore } from '../store/file-store.ts'
import { confirmedAccount, ownAccount } from './own-account.ts'
import { eraseAccount, exportOwnData, ownDataOf } from './own-data.ts'

const tags = ['accounts']

/** What is kept of a person, for that person: to see, to take along, to erase. */
export function registerOwnData(app: App, deps: Deps): void {
  const { db, clock, config } = deps
  const files = openFileStore(config)

  app.get(
    '/api/users/data',
    { schema: { summary: 'Ce qui est gardé de son compte', tags, response: { 200: ownDataSchema } } },
    async (request) => ownDataOf(db, await ownAccount(db, request.session as Session)),
  )

  app.get(
    '/api/users/data.json',
    { schema: { summary: 'Tout ce qui est gardé de son compte, en JSON', tags } },
    async (request, reply) => {
      const account = await ownAccount(db, request.session as Session)
      await record(db, originOf(request, clock.now()), { action: 'account.export', subject: account.name })
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="radx-donnees.json"')
        .send(JSON.stringify(await exportOwnData(db, account), null, 2))
    },
  )

  app.post(
    '/api/users/erase',
    {
      schema: {
        summary: 'Efface son compte et ce qui en est gardé',
        tags,
        body: eraseBodySchema,
        response: { 200: doneSchema },
      },
    },
    async (request) => {
      const { password, after } = request.body
      const session = request.session as Session
      const account = await confirmedAccount(db, session, password, clock.now())
      const user = { name: account.name, isManager: isManager(session) }
      await eraseAccount(db, account, after, originOf(request, clock.now()), {
        job: (id) => deps.jobs.queue().remove(id, user, files),
        network: (id) => files.removeFolder(networkHome(id)),
        draft: (id) => files.removeFolder(draftHome(id)),
      })
      return { done: true as const }
    },
  )
}
