/** What `GET /socket/stats` answers: the hub of one server process. */
export interface HubStats {
  clients: number
  users: number
  listeners: number
  /** Messages sent since the start. */
  sent: number
  /** Events read from the history since the start. */
  events: number
  /** Listeners' requests that wait their turn. */
  queue: number
  /** Bytes that clients have not read yet. */
  unread: number
  /** Clients cut off for not reading. */
  slow: number
  reads: number
  /** Milliseconds of the last read that found something, its sending included. */
  lastReadMs: number
  lastReadAt: string | null
  cursor: string | null
}
