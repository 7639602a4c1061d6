import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf, isWithin } from '#platform/address.ts'
import { ownCookie } from '#platform/cookies.ts'
import { forbidden, unauthorized } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { actorOfClinic, createActors } from './actors.ts'
import type { Opened } from './sessions.ts'
import { openLine, type Signal } from './signals.ts'
import { ACCESS_LIFE, createTokens, type Ticket, type Tokens, writeRefresh } from './tokens.ts'

/** Seconds for which a browser is remembered after its last sign-in. */
export const DEVICE_LIFE = 400 * 24 * 3_600
const DEVICE_FORM = /^[\w-]{43}$/
const MAX_TOKEN = 4_096

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call is allowed while a temporary password must still be changed. */
    withTemporaryPassword?: true
  }
}

/** Authentication of one server. */
export interface Auth {
  tokens: Tokens
  /** Actor of the bearer token. @throws HttpError 401; 403 `password` when a temporary password is not enough */
  actorOf(request: FastifyRequest): Promise<ServerActor>
  /**
   * The same, or by the files cookie: only for GET of a file's content, where `<img>` and `<a>` cannot send a token.
   * @throws HttpError as `actorOf`
   */
  actorOfFileRequest(request: FastifyRequest): Promise<ServerActor>
  /** The clinic as an actor without permissions: its tariff and modules. */
  clinic(): Promise<ServerActor>
  /** For the WebSocket. @throws HttpError as `actorOf` */
  actorOfToken(token: string, ip: string): Promise<ServerActor>
  /** Key of the person as far as the tokens show it without the database, else the address; for the admission queue. */
  whoOf(request: FastifyRequest): string | Promise<string>
  /** Actor of an open session with current rights; undefined when the session has ended. */
  actorOfSession(idSession: string): Promise<ServerActor | undefined>
  /** Called in every process. Returns the function that unsubscribes. */
  onSessionEnded(run: (idSession: string) => void): () => void
  /** Called in every process; without an id everybody's rights may have changed. Returns the function that unsubscribes. */
  onRightsChanged(run: (idUser: number | undefined) => void): () => void
  /** Settings or general rights have changed: called at the commit here, a little later for other processes. */
  onClinicChanged(run: () => void): () => void
  /** Issues the tokens of a session: sets the cookies, returns the access token. */
  handOut(reply: FastifyReply, opened: Opened): Promise<string>
  clearCookies(reply: FastifyReply): void
  refreshCookie(request: FastifyRequest): string | undefined
  /** Device token set in this browser by an earlier sign-in. */
  deviceOf(request: FastifyRequest): string | undefined
  /** The same; a browser without one gets a new token in the answer. */
  handOutDevice(request: FastifyRequest, reply: FastifyReply): string
}

const rooms = new WeakMap<AppContext, Auth>()

/** Authentication of this server; it must have been registered. */
export function authOf(app: AppContext): Auth {
  const auth = rooms.get(app)
  if (!auth) throw new Error('auth is not registered')
  return auth
}

/** Registers authentication: call it before the routes, which use it. */
export function registerAuth(app: AppContext): Auth {
  const tokens = createTokens(app.config.secret)
  const actors = createActors(app.db.kept)
  const ended = new Set<(idSession: string) => void>()
  const changed = new Set<(idUser: number | undefined) => void>()
  const clinicChanged = new Set<() => void>()
  const listen = <T>(set: Set<T>, run: T) => {
    set.add(run)
    return () => void set.delete(run)
  }

  const forget = (what: Signal) => {
    actors.forget(what)
    if (what.all) for (const run of clinicChanged) run()
  }
  const close = openLine(app.fanout, forget, ({ sessions = [], users = [], all }) => {
    for (const idSession of sessions) for (const run of ended) run(idSession)
    for (const idUser of users) for (const run of changed) run(idUser)
    if (all) for (const run of changed) run(undefined)
  })
  app.onClose(close)

  const refreshCookie = ownCookie(app.config, 'ordinator_refresh', '/auth')
  const filesCookie = ownCookie(app.config, 'ordinator_files', '/')
  /** Identifies the browser but grants nothing; kept after signing out. */
  const deviceCookie = ownCookie(app.config, 'ordinator_device', '/auth')

  async function actorBy(idSession: string | undefined): Promise<ServerActor> {
    const actor = idSession === undefined ? undefined : await actors.ofSession(idSession)
    if (!actor) throw unauthorized()
    return actor
  }

  async function actorByToken(token: string): Promise<ServerActor> {
    return actorBy((await tokens.readAccess(token))?.idSession)
  }

  const asking = (actor: ServerActor, request: FastifyRequest): ServerActor => {
    request.idUser = actor.id
    refuseStrange(actor, request.ip)
    if (!request.routeOptions.config.withTemporaryPassword) refuseTemporary(actor)
    const asked = { ...actor, requestId: request.id, ip: request.ip }
    // A trainee has come by a ticket, and has no password to enter again.
    if (app.config.training) delete asked.proven
    return asked
  }

  /** @throws HttpError 403 `address` when the clinic does not allow this address */
  const refuseStrange = ({ allowedAddresses }: ServerActor, ip: string): void => {
    if (allowedAddresses && !app.config.anyAddress && !isWithin(allowedAddresses, ip))
      throw forbidden('С этого адреса вход закрыт. Обратитесь к администратору', 'address')
  }

  const auth: Auth = {
    tokens,
    async actorOf(request) {
      const token = bearerOf(request) ?? ''
      const ticket = tokens.known('access', token)
      const known = ticket ? actors.known(ticket.idSession) : undefined
      return asking(known ?? (await actorByToken(token)), request)
    },
    async actorOfFileRequest(request) {
      if (bearerOf(request) !== undefined) return auth.actorOf(request)
      if (request.method !== 'GET' && request.method !== 'HEAD') throw unauthorized()
      const ticket = await tokens.readFiles(filesCookie.get(request) ?? '')
      return asking(await actorBy(ticket?.idSession), request)
    },
    whoOf(request) {
      const bearer = bearerOf(request)
      const token = bearer ?? filesCookie.get(request)
      const byAddress = `address:${addressOf(request.ip)}`
      if (token === undefined || token === '' || token.length > MAX_TOKEN) return byAddress
      const named = (ticket: Ticket | undefined) => (ticket ? `user:${ticket.idUser}` : byAddress)
      const known = tokens.known(bearer === undefined ? 'files' : 'access', token)
      if (known !== null) return named(known)
      return (bearer === undefined ? tokens.readFiles(token) : tokens.readAccess(token)).then(named)
    },
    async actorOfToken(token, ip) {
      const actor = await actorByToken(token)
      refuseStrange(actor, ip)
      refuseTemporary(actor)
      return actor
    },
    clinic: () => actorOfClinic(app.db.kept),
    actorOfSession: (idSession) => actors.ofSession(idSession),
    onSessionEnded: (run) => listen(ended, run),
    onRightsChanged: (run) => listen(changed, run),
    onClinicChanged: (run) => listen(clinicChanged, run),
    async handOut(reply, { idSession, idUser, token, remember, life }) {
      const kept = remember ? { maxAge: life } : {}
      refreshCookie.set(reply, writeRefresh(token), kept)
      filesCookie.set(reply, await tokens.files(idSession, idUser, life), kept)
      return tokens.access(idSession, idUser, Math.min(life, ACCESS_LIFE))
    },
    clearCookies(reply) {
      refreshCookie.clear(reply)
      filesCookie.clear(reply)
    },
    refreshCookie: refreshCookie.get,
    deviceOf(request) {
      const device = deviceCookie.get(request)
      return DEVICE_FORM.test(device ?? '') ? device : undefined
    },
    handOutDevice(request, reply) {
      const device = auth.deviceOf(request) ?? randomBytes(32).toString('base64url')
      deviceCookie.set(reply, device, { maxAge: DEVICE_LIFE })
      return device
    },
  }
  rooms.set(app, auth)
  return auth
}

function refuseTemporary(actor: ServerActor): void {
  if (actor.mustChangePassword) throw forbidden('Сначала задайте свой пароль вместо временного', 'password')
  if (actor.mustAddFactor) throw forbidden('Сначала подключите второй фактор: его требует ваша роль', 'factor')
}

function bearerOf({ headers }: FastifyRequest): string | undefined {
  const { authorization } = headers
  return authorization?.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : undefined
}
