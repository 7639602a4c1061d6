/** What a message of the outbox is about; its body is made when it goes. */
export type ElnPayload =
  | { kind: 'put' | 'disable'; idSickLeave: number }
  | { kind: 'numbers'; idRequest: number; count: number }
