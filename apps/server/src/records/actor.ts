import { type Actor, type Allowed, signedIn } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import { forbidden } from '#platform/errors.ts'

/** The signed-in user on the server. */
export interface ServerActor extends Actor {
  /** Absent for the server's own work. */
  idSession?: string
  /** IANA name; the clinic's zone when the user has none. */
  timeZone: string
  /** Must set their own password before anything else. */
  mustChangePassword?: true
  /** Must add a second factor before anything else: a role requires one. */
  mustAddFactor?: true
  /** When the password was last entered in this session, milliseconds since 1970; absent outside sessions. */
  proven?: number
  /** Addresses and networks from which the clinic allows access; absent: any. */
  allowedAddresses?: readonly string[]
  /** The server itself (jobs, demo, intake): rights and hidden fields do not apply. */
  system?: true
  /** For the access journal. */
  requestId?: string
  ip?: string
}

/** Milliseconds for which an entered password allows critical actions. */
const PROOF_MS = 15 * 60_000

/** @throws HttpError 403 `proof` when the password must be entered again */
export function mustBeFresh({ proven }: ServerActor): void {
  if (proven !== undefined && Date.now() - proven > PROOF_MS)
    throw forbidden('Подтвердите паролем, что за компьютером вы', 'proof')
}

/** The actor plus the least rights that satisfy `by`, for a call that gives more people data they cannot read elsewhere. */
export function withRight(actor: ServerActor, by: Allowed | undefined): ServerActor {
  if (by === undefined || by === signedIn) return actor
  const [least] = typeof by === 'string' ? [by as Permission] : by
  return least ? { ...actor, permissions: { ...actor.permissions, [least]: true } } : actor
}

export const systemActor: ServerActor = { id: 0, permissions: {}, timeZone: 'Europe/Moscow', system: true }
