/** Second factors, shared by client and server. */
export type FactorKind = 'totp' | 'passkey'

export const factorKinds: Readonly<Record<FactorKind, string>> = {
  totp: 'Приложение с кодами',
  passkey: 'Ключ доступа',
}

/** Recovery codes for the loss of every factor, and the number left at which the user is asked to create new ones. */
export const RECOVERY_CODES = 10
export const FEW_CODES = 3

/** A second factor of a user. Times are ISO 8601. */
export interface Factor {
  id: number
  kind: FactorKind
  name: string
  dateCreate: string
  dateUsed: string | null
}

export interface Factors {
  items: Factor[]
  /** Unused recovery codes. */
  codesLeft: number
  /** True when a role of the user requires a second factor. */
  required: boolean
}

/** Options of a WebAuthn request, in the form of `@simplewebauthn/browser`. */
export type PasskeyOptions = any
