/** Second factors, as both sides know them. */
export type FactorKind = 'totp' | 'passkey'

export const factorKinds: Readonly<Record<FactorKind, string>> = {
  totp: 'Приложение с кодами',
  passkey: 'Ключ доступа',
}

/** Codes that help when every factor is lost, and how many are left when a person is told to make new ones. */
export const RECOVERY_CODES = 10
export const FEW_CODES = 3

/** A second factor of a person. Times are ISO 8601. */
export interface Factor {
  id: number
  kind: FactorKind
  name: string
  dateCreate: string
  dateUsed: string | null
}

export interface Factors {
  items: Factor[]
  /** Recovery codes that were not used yet. */
  codesLeft: number
  /** A role of the person asks for a second factor. */
  required: boolean
}

/** What a browser is asked with: the options of WebAuthn as `@simplewebauthn/browser` takes them. */
export type PasskeyOptions = any
