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
  /** Whether it answers on the line that is held. @throws Error where the line is away or silent */
  ping(): Promise<void>
  stop(): void
}

/** How the line to the exchange is: it is here, or what is wrong. */
export type LineWord = 'in' | 'refused' | 'lost' | 'away'

/** What it tells: each event in its order, and the calls that are still there after a break. */
export interface Listener {
  /** The line has come or gone; each try that fails is told of. */
  line?(word: LineWord): void
  event(event: PbxEvent, at: number): void
  /** After a break: the channels that live are told of by events again; the others are over. */
  living(uniqueids: ReadonlySet<string>, at: number): void
}
