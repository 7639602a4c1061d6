import { type Allowed, allowed, refusal } from '@ordinator/model/access'
import { goodStatus } from '@ordinator/model/call'
import { issueMessage } from '@ordinator/model/issueMessage'
import { messages } from '@ordinator/model/messages'
import { gateOf } from '@ordinator/model/tariff'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { badRequest, forbidden, notFound, ValidationError } from '#platform/errors.ts'
import { mustBeFresh, type ServerActor, systemActor } from './actor.ts'
import { mustBeOwnBranches } from './branches.ts'
import type { AppContext } from './context.ts'
import { createKeptAnswers } from './keptAnswers.ts'
import type { Operation } from './operation.ts'
import { type RawParams, refuseKeys } from './params.ts'
import type { RouteAuth } from './routes.ts'

z.config({ customError: issueMessage })

const notInTariff = 'Этого раздела нет в тарифе клиники'

/** Registers the routes that areas declare (not the generic CRUD). */
export function registerOperations(app: AppContext, operations: readonly Operation[], auth: RouteAuth): void {
  const kept = createKeptAnswers(app)
  app.onClose(auth.onClinicChanged(kept.forget))
  for (const operation of operations) {
    if (operation.bodyType === 'raw') {
      // Body parsers are per plugin: this one passes bodies as bytes.
      void app.server.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        put(scope, operation)
      })
    } else put(app.server, operation)
  }

  function put(server: FastifyInstance, operation: Operation): void {
    server.route({
      method: operation.method,
      url: operation.path,
      ...(operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
      config: {
        ...(operation.limit
          ? { rateLimit: { max: operation.limit, timeWindow: 60_000, keyGenerator: auth.whoOf } }
          : {}),
        ...(operation.aside ? { aside: 'sign-in' } : {}),
        ...(operation.withTemporaryPassword ? { withTemporaryPassword: true } : {}),
      },
      handler: async (request, reply) => {
        const isPublic = operation.access === 'public'
        const asked = !isPublic || (operation.signedIn && request.headers.authorization !== undefined)
        const actor = asked ? await auth.actorOf(request) : undefined
        if (actor && !actor.system && !isPublic) {
          if (!allowed(actor, operation.access as Allowed)) throw forbidden()
        }
        if (operation.fresh && actor) mustBeFresh(actor)
        const gate = { ...gateOf(operation.path), ...operation.gate }
        // A call from outside has no actor: the tariff is that of the clinic.
        const owner = actor ?? (Object.keys(gate).length > 0 ? await auth.clinic() : undefined)
        if (owner && !('system' in owner && owner.system) && refusal(owner, gate)) throw forbidden(notInTariff)
        await operation.before?.(app, request)
        const query = parseQuery(operation, request.query)
        const params = parsePath(operation.params, request.params)
        const body =
          operation.bodyType === 'multipart' || operation.bodyType === 'raw'
            ? undefined
            : parseBody(operation.body, request.body)
        if (actor && !isPublic) mustBeOwnBranches(actor, branchesAsked(query, body))
        const given = {
          app,
          records: app.engine.for(actor ?? { ...systemActor, system: undefined as never }),
          actor: actor as ServerActor,
          params,
          query,
          body,
          request,
          reply,
        }
        const answer = await (operation.kept === undefined || actor
          ? operation.handler(given)
          : kept.of(
              JSON.stringify([operation.path, params, query, await operation.keptBy?.(app, request)]),
              operation.kept,
              async () => operation.handler(given),
            ))
        if (reply.sent || answer === reply) return reply
        reply.code(goodStatus(operation))
        return typeof answer === 'string'
          ? reply.type('application/json; charset=utf-8').send(answer)
          : reply.send(answer)
      },
    })
  }
}

/** Ids of the branches that a request names, by the names that all calls use. */
const branchesAsked = (...given: unknown[]): number[] =>
  given
    .flatMap((one) => {
      const { idFilial, filial, filials } = Object(one) as Record<string, unknown>
      return [idFilial, filial, filials].flat()
    })
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]))
    .flatMap((one) => (one === '' || one === null || one === undefined ? [] : [Number(one)]))
    .filter(Number.isSafeInteger)

function parseBody(schema: z.ZodType | undefined, body: unknown): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  throw new ValidationError(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ field: [...issue.path, key.slice(0, 64)].join('.'), message: messages.unknown }))
        : [{ field: issue.path.join('.').slice(0, 200), message: issue.message }],
    ),
  )
}

/** Refuses undeclared query parameters; a call that accepts any declares a loose schema. */
function parseQuery({ query: schema, bodyType }: Operation, query: unknown): unknown {
  // Calls from outside (raw) may carry extra parameters.
  if (!schema && bodyType !== 'raw') refuseKeys(query as RawParams)
  if (!schema) return query
  if (schema instanceof z.ZodObject && !isLoose(schema)) refuseKeys(query as RawParams, schema.shape)
  const parsed = schema.safeParse({ ...(query as object) })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw badRequest(`Параметр ${issue?.path.join('.')}: ${issue?.message}`)
}

const isLoose = ({ def: { catchall } }: z.ZodObject): boolean =>
  catchall !== undefined && !(catchall instanceof z.ZodNever)

function parsePath(schema: z.ZodType | undefined, params: unknown): unknown {
  if (!schema) return params
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  throw notFound()
}
