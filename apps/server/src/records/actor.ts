import type { Actor } from '@ordinator/model/access'

/** The signed-in user as the server knows it. */
export interface ServerActor extends Actor {
  /** Absent for the server's own work. */
  idSession?: string
  /** IANA name; the clinic's zone where the user has none. */
  timeZone: string
  /** The server itself (jobs, demo, intake): rights and hidden fields do not bind it. */
  system?: true
  /** For the journal. */
  requestId?: string
  ip?: string
}

export const systemActor: ServerActor = { id: 0, permissions: {}, timeZone: 'Europe/Moscow', system: true }
