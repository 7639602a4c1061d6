import { type Actor, type Allowed, signedIn } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import { forbidden } from '../platform/errors.ts'

/** The signed-in user as the server knows it. */
export interface ServerActor extends Actor {
  /** Absent for the server's own work. */
  idSession?: string
  /** IANA name; the clinic's zone where the user has none. */
  timeZone: string
  /** Has to set a password of their own before anything else. */
  mustChangePassword?: true
  /** Has to add a second factor before anything else: a role asks for one. */
  mustAddFactor?: true
  /** When the password of this session was given last, milliseconds since 1970; absent outside sessions. */
  proven?: number
  /** Addresses and networks from which alone the clinic lets in; absent: from anywhere. */
  allowedAddresses?: readonly string[]
  /** The server itself (jobs, demo, intake): rights and hidden fields do not bind it. */
  system?: true
  /** For the journal. */
  requestId?: string
  ip?: string
}

/** Milliseconds for which a password that was given opens what is grave. */
const PROOF_MS = 15 * 60_000

/** @throws HttpError 403 `proof` where the password has to be given again */
export function mustBeFresh({ proven }: ServerActor): void {
  if (proven !== undefined && Date.now() - proven > PROOF_MS)
    throw forbidden('Подтвердите паролем, что за компьютером вы', 'proof')
}

/** The actor with the least that passes `by`, for a call that opens to more people what they may read nowhere else. */
export function withRight(actor: ServerActor, by: Allowed | undefined): ServerActor {
  if (by === undefined || by === signedIn) return actor
  const [least] = typeof by === 'string' ? [by as Permission] : by
  return least ? { ...actor, permissions: { ...actor.permissions, [least]: true } } : actor
}

export const systemActor: ServerActor = { id: 0, permissions: {}, timeZone: 'Europe/Moscow', system: true }
