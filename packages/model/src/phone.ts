/** Digits that a phone number may have at all (E.164 allows 15). */
const MIN_DIGITS = 10
const MAX_DIGITS = 15

/**
 * E.164 of a number as people write it: `8 (999) 123-45-67`, `9991234567`, `+7 999 123 45 67` → `+79991234567`.
 * @returns undefined when it is no whole number
 */
export function phoneOf(written: string): string | undefined {
  if (!/^[\d\s()+.\-–]+$/.test(written)) return undefined
  const plus = written.trim().startsWith('+')
  const digits = written.replace(/\D/g, '')
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return undefined
  if (digits.length === 10 && !plus) return `+7${digits}`
  if (digits.length === 11 && !plus && /^[78]/.test(digits)) return `+7${digits.slice(1)}`
  return `+${digits}`
}

/** `+79991234567` → `+7 (999) 123-45-67`; other countries as stored. */
export function phoneText(e164: string | null | undefined): string {
  const parts = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(e164 ?? '')
  return parts ? `+7 (${parts[1]}) ${parts[2]}-${parts[3]}-${parts[4]}` : (e164 ?? '')
}
