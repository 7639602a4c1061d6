/** Types shared by cloud exchanges: keys and events. */
export interface CloudSecret {
  key: string
  /** The salt of Mango, the secret of Zadarma. */
  secret: string
}

export interface CloudEvent {
  /** Id of the conversation. */
  entry: string
  /** Unique id of this event. */
  mark: string
  body: object
  /** Name of a new recording at the provider. */
  recording?: string
  /** Milliseconds: time of the first receipt. */
  at?: number
}

/** Seconds until the answer, or until the end of an unanswered call; null: nobody has waited, or the call still rings. */
export const secondsWaited = (call: {
  isOut: boolean
  /** Milliseconds, as below. */
  begin: number
  answer: number | null
  end: number | null
}): number | null => {
  const until = call.answer ?? call.end
  return call.isOut || until === null ? null : Math.max(0, Math.round((until - call.begin) / 1000))
}
