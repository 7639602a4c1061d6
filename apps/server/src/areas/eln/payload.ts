/** Subject of an outbox message; its body is built when it is sent. */
export type ElnPayload =
  | { kind: 'put' | 'disable'; idSickLeave: number }
  | { kind: 'numbers'; idRequest: number; count: number }
