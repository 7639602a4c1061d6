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
