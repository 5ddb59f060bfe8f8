import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Deps } from '../../http/app.ts'
import { answersOf } from '../../threads/answers.ts'
import { type ResultAsked, resultAnswer } from './result-answers.ts'

/** Has answers about finished runs made in threads. */
export interface ResultMaker {
  make(asked: ResultAsked, request: FastifyRequest): Promise<Uint8Array>
  /** An answer that is JSON already. */
  sendJson(asked: ResultAsked, request: FastifyRequest, reply: FastifyReply): Promise<never>
}

export function resultMaker(app: App, deps: Deps): ResultMaker {
  const answers = answersOf(app, deps)
  const make = async (asked: ResultAsked, request: FastifyRequest) =>
    (await answers.make(resultAnswer, asked, request)).body
  return {
    make,
    sendJson: async (asked, request, reply) =>
      reply.type('application/json; charset=utf-8').send(await make(asked, request)) as never,
  }
}
