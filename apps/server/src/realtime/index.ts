/** The WebSocket of the contract: authentication and wiring. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HubStats } from '@ordinator/model/socketCalls'
import { WebSocketServer } from 'ws'
import { clientAddress } from '#platform/address.ts'
import { answerBare } from '#platform/answers.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, unauthorized } from '#platform/errors.ts'
import { announce } from '#platform/fanout.ts'
import { fixedHeaders } from '#platform/securityHeaders.ts'
import { endpointAt } from '#platform/sockets.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Operation } from '#records/operation.ts'
import type { Visibility } from '#records/sight.ts'
import type { RealtimeAuth } from './auth.ts'
import { MAX_MESSAGE_BYTES } from './connection.ts'
import { sendCursor } from './cursorHeader.ts'
import { Hub } from './hub.ts'
import { realtimeOperations } from './operations.ts'

export { cursorNow, parseSnapshot } from './feed.ts'

export interface Realtime {
  operations: readonly Operation[]
  /** Reads the history in this process at once, without waiting for the signal through the database. */
  wake(): void
  stats(): HubStats
}

const PATH = '/ws'
const CHANNEL = 'records'
/** Signals `{ idUsers, paths }`. */
const RESET = 'reset'
/** Users per signal. */
const USERS_AT_ONCE = 400
const MAX_TOKEN = 4_096

/**
 * If the transaction commits, these users' clients re-read these paths: for a write that changes the visibility of other
 * records (an executor removed from a task can no longer see it).
 */
export async function announceReset(
  tx: Queryable,
  idUsers: readonly number[],
  paths: readonly string[],
): Promise<void> {
  const signals: string[] = []
  for (let at = 0; at < idUsers.length; at += USERS_AT_ONCE)
    signals.push(JSON.stringify({ idUsers: idUsers.slice(at, at + USERS_AT_ONCE), paths }))
  await announce(tx, RESET, signals)
}

/**
 * Opens the WebSocket of a server. The hub reads history on every `fanout.publish('records', '')`, which is sent after
 * each commit that wrote any.
 */
export function openRealtime(app: AppContext, auth: RealtimeAuth, visibility: Visibility): Realtime {
  const hub = new Hub({ db: app.db.events, log: app.log, visibility })
  const wake = () => hub.wake()
  const stats = () => hub.stats()
  const quiet = app.fanout.subscribe(CHANNEL, wake)
  const whole = app.fanout.onGap(wake)
  const still = app.fanout.subscribe(RESET, (payload) => {
    const { idUsers, paths } = JSON.parse(payload) as { idUsers: number[]; paths: string[] }
    hub.reset(idUsers, paths)
  })
  auth.onSessionEnded((idSession) => hub.sessionEnded(idSession))
  auth.onRightsChanged((idUser) => {
    hub
      .rightsChanged(idUser, (idSession) => auth.actorOfSession(idSession))
      .catch((error) => app.log.error({ err: error }, 'realtime: rights'))
  })

  sendCursor(app)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const fixed = fixedHeaders(app.config.publicUrl)
  const refuse = (socket: Duplex, status: number, message?: string) => answerBare(socket, status, fixed, message)
  let closing = false

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const endpoint = endpointAt(app.server.server, url.pathname)
    if (url.pathname !== PATH && !endpoint) return refuse(socket, 404)
    if (closing) return refuse(socket, 503)
    if (endpoint) return endpoint(request, socket, head)
    if (!fromHere(request, app.config.publicUrl)) return refuse(socket, 403)
    const actor = await actorOf(
      auth,
      protocolToken(request) ?? url.searchParams.get('token') ?? '',
      clientAddress(request, app.config.trustProxy),
    )
    if (actor instanceof HttpError) return refuse(socket, actor.status, actor.message)
    if (closing) return refuse(socket, 503)
    sockets.handleUpgrade(request, socket, head, (webSocket) => hub.join(webSocket, actor))
    // The session may have ended between the check and the answer.
    const { idSession } = actor
    if (idSession && !(await auth.actorOfSession(idSession))) hub.sessionEnded(idSession)
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const fail = () => socket.destroy()
    socket.on('error', fail)
    upgrade(request, socket, head)
      .catch((error) => {
        app.log.error({ err: error }, 'realtime: handshake')
        refuse(socket, 503)
      })
      .finally(() => socket.removeListener('error', fail))
  }

  app.server.server.on('upgrade', onUpgrade)
  app.onClose(async () => {
    closing = true
    quiet()
    whole()
    still()
    await hub.close()
  })

  return { operations: realtimeOperations(stats), wake, stats }
}

/**
 * The token from a subprotocol, `Sec-WebSocket-Protocol: ordinator, bearer.<token>`: a token in the URL would be logged by
 * proxies. Other programs may still send it in the URL, as the specification allows.
 */
const protocolToken = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|,)\s*bearer\.([\w.-]+)/.exec(headers['sec-websocket-protocol'] ?? '')?.[1]

async function actorOf(auth: RealtimeAuth, token: string, ip: string): Promise<ServerActor | HttpError> {
  if (token === '' || token.length > MAX_TOKEN) return unauthorized()
  try {
    return (await auth.actorOfToken(token, ip)) ?? unauthorized()
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

/** Browsers send the page's origin; only our own pages may connect. Other programs send none. */
function fromHere({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from === host?.toLowerCase() || from === new URL(publicUrl).host
}
