/** What telephony needs of a telephone exchange, whatever it speaks. */
/** Of whatever the exchange tells: the names and the values as it writes them. */
export type PbxEvent = Readonly<Record<string, string>>

export interface Origination {
  /** The employee's own short number. */
  sipPhone: string
  /** E.164. */
  phone: string
  /** Becomes the channel's Uniqueid. */
  session: string
  /** The exchange took it and then did not reach the employee's phone. */
  failed: () => void
}

export interface Exchange {
  /** Rings the employee's own phone and then the number. @throws Error where the exchange is away or refuses */
  originate(asked: Origination): Promise<void>
  stop(): void
}

/** What it tells: each event in its order, and the calls that are still there after a break. */
export interface Listener {
  event(event: PbxEvent, at: number): void
  /** After a break: the channels that live are told of by events again; the others are over. */
  living(uniqueids: ReadonlySet<string>, at: number): void
}
