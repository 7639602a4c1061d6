/** Maximum digits of a position before its group is renumbered: what a JavaScript number holds exactly. */
const MAX_DIGITS = 15

/**
 * A position between two others, as short as possible: `between('1', '2')` → '1.5'; open ends step by one.
 * @param before,after decimal texts of PostgreSQL's numeric; null: no neighbour on that side
 * @returns undefined when there is no room left and the group must be renumbered
 */
export function between(before: string | null, after: string | null): string | undefined {
  if (before === null && after === null) return '1'
  if (before === null) return String(Math.floor(Number(after)) - 1)
  if (after === null) return String(Math.ceil(Number(before)) + 1)
  for (let scale = Math.max(decimals(before), decimals(after)); scale <= MAX_DIGITS; scale++) {
    const low = scaled(before, scale)
    const high = scaled(after, scale)
    if (high <= low) return undefined
    if (high - low < 2n) continue
    const text = written(roundest(low, high), scale)
    return text.replace(/[-.]/g, '').length <= MAX_DIGITS ? text : undefined
  }
  return undefined
}

const decimals = (text: string) => (text.split('.')[1] ?? '').length

function scaled(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

/** The number strictly between with the most trailing zeros, near the middle. */
function roundest(low: bigint, high: bigint): bigint {
  const middle = low + (high - low) / 2n
  let best = middle
  for (let step = 10n; step < high - low; step *= 10n) {
    const rounded = floorTo(middle, step)
    const near = rounded > low ? rounded : rounded + step
    if (near <= low || near >= high) break
    best = near
  }
  return best
}

const floorTo = (value: bigint, step: bigint) => value - (((value % step) + step) % step)

function written(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}
