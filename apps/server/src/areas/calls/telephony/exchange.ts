/** Interface of a telephone exchange, independent of its protocol. */
/** An event of the exchange: names and values unchanged. */
export type PbxEvent = Readonly<Record<string, string>>

export interface Origination {
  /** The employee's own short number. */
  sipPhone: string
  /** E.164. */
  phone: string
  /** Set as the channel's Uniqueid. */
  session: string
  /** Called when the exchange accepted it and then failed to reach the employee's phone. */
  failed: () => void
}

export interface Exchange {
  /** Rings the employee's own phone and then the number. @throws Error if the exchange is unavailable or refuses */
  originate(asked: Origination): Promise<void>
  /** Checks the open connection. @throws Error if it is closed or silent */
  ping(): Promise<void>
  stop(): void
}

/** State of the connection to the exchange. */
export type LineWord = 'in' | 'refused' | 'lost' | 'away'

/** Receives events in order, and the live channels after a reconnect. */
export interface Listener {
  /** The connection opened or closed; each failed attempt is reported. */
  line?(word: LineWord): void
  event(event: PbxEvent, at: number): void
  /** After a reconnect: live channels are reported by new events; the others have ended. */
  living(uniqueids: ReadonlySet<string>, at: number): void
}
