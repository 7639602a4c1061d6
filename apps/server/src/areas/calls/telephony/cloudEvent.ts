/** What cloud exchanges have in common: what opens them, and what they tell. */
export interface CloudSecret {
  key: string
  /** The salt of Mango, the secret of Zadarma. */
  secret: string
}

export interface CloudEvent {
  /** Of the conversation. */
  entry: string
  /** Of this event alone. */
  mark: string
  body: object
  /** It tells of a recording, by this name at the provider. */
  recording?: string
  /** Milliseconds: when it first came. */
  at?: number
}
