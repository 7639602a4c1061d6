/** Formats the typed part as +7 (999) 123-45-67; a foreign or unusual number is left as it is. */
export function maskPhone(typed: string): string {
  if (!/^[\d\s()+-]*$/.test(typed)) return typed
  const digits = typed.replace(/\D/g, '')
  const own = typed.trim().startsWith('+') ? /^\+\s*7/.test(typed.trim()) : /^[789]/.test(digits)
  if (!own) return typed
  const rest = /^[78]/.test(digits) ? digits.slice(1) : digits
  if (rest.length > 10) return typed
  const [a, b, c, d] = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6, 8), rest.slice(8)]
  if (!b) return a ? `+7 (${a}` : '+7 '
  return `+7 (${a}) ${[b, c, d].filter(Boolean).join('-')}`
}
