import type { ServerActor } from '#records/actor.ts'

/** What the hub needs from authentication. Both notifications must reach every server process. */
export interface RealtimeAuth {
  /** Throws the HttpError of a refused user; undefined: the token is invalid or expired, or its session has ended. */
  actorOfToken(token: string, ip: string): Promise<ServerActor | undefined>
  /** The session's user with current rights: a socket outlives its access token. Undefined: the session has ended. */
  actorOfSession(idSession: string): Promise<ServerActor | undefined>
  onSessionEnded(run: (idSession: string) => void): unknown
  /** Roles, single permissions or the tariff have changed. Without an id: possibly for everybody. */
  onRightsChanged(run: (idUser: number | undefined) => void): unknown
}
