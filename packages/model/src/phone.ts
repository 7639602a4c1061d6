/** Digits of a phone number (spec §5: a group of three, three, and four to six). */
const MIN_DIGITS = 10
const MAX_DIGITS = 12

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

/** Fewer digits than these are found in almost every number. */
const FEWEST_DIGITS = 3

/**
 * What is looked for where phones and other numbers stand as they are stored, in each reading: `8 (916) 111-22-33` →
 * `+79161112233` (a phone) and `89161112233` (a СНИЛС may begin so), `8 916` → `916`, `22-33` → `2233`.
 * @returns nothing when it is no number, or too little of one
 */
export function soughtDigits(text: string): string[] {
  if (!/^[\d\s()+.\-–]+$/.test(text)) return []
  const digits = text.replace(/\D/g, '')
  if (digits.length < FEWEST_DIGITS) return []
  const phone = phoneOf(text)
  if (phone?.startsWith('+7')) return digits.length === 11 && !text.trim().startsWith('+') ? [phone, digits] : [phone]
  if (phone) return [digits]
  return [
    /^[78]/.test(digits) && digits.length > FEWEST_DIGITS && digits.length < MAX_DIGITS ? digits.slice(1) : digits,
  ]
}

/** `+79991234567` → `+7 (999) 123-45-67`; other countries as stored. */
export function phoneText(e164: string | null | undefined): string {
  const parts = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(e164 ?? '')
  return parts ? `+7 (${parts[1]}) ${parts[2]}-${parts[3]}-${parts[4]}` : (e164 ?? '')
}
