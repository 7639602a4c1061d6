import type { ServerActor } from '../records/actor.ts'

/** What the hub needs of the sign-in. Both notices must come in every server process, not only where they arose. */
export interface RealtimeAuth {
  /** Throws the HttpError of who may not come in, or answers undefined: the token is wrong or has expired, or its session has ended. */
  actorOfToken(token: string, ip: string): Promise<ServerActor | undefined>
  /** The session's user with the rights of now: a socket outlives its access token. Undefined: the session has ended. */
  actorOfSession(idSession: string): Promise<ServerActor | undefined>
  onSessionEnded(run: (idSession: string) => void): unknown
  /** Roles, single grants, tariff: whatever changes the actor. Without an id: anybody's may have changed. */
  onRightsChanged(run: (idUser: number | undefined) => void): unknown
}
