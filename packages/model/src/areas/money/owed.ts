/** A patient's debt and its shares of a payment, by the same rules on the server and on the screen of the desk. */
import type { PaymentMethod } from './methods.ts'
import { kopecks, rubles } from './rules.ts'

/** A service that is not fully paid, in rubles. */
export interface OwedLine {
  id: number
  due: number
  paid: number
  /** Provided: the unpaid part is a debt. */
  charged: boolean
}

export interface Owed<L extends OwedLine = OwedLine> {
  /** Rubles: the debt of the account, of services and without any. */
  debt: number
  /** Rubles of the advance that belong to no service. */
  free: number
  lines: readonly L[]
}

/** Kopecks left to pay for a service. */
export const restOf = ({ due, paid }: OwedLine): number => kopecks(due) - kopecks(paid)

const restsOf = (lines: readonly OwedLine[]): number => lines.reduce((sum, line) => sum + restOf(line), 0)

/**
 * Kopecks to take for the chosen services: provided ones, the debt that belongs to no service, and what the advance does
 * not cover of services to come.
 */
export function owedOf({ debt, free, lines }: Owed, chosen: readonly OwedLine[] = lines): number {
  const provided = (some: readonly OwedLine[]) => restsOf(some.filter(({ charged }) => charged))
  const ahead = restsOf(chosen.filter(({ charged }) => !charged))
  const others = Math.max(0, kopecks(debt) - provided(lines))
  return provided(chosen) + others + Math.max(0, ahead - kopecks(free))
}

/**
 * Services of a payment with their parts, provided ones first; undefined if it is for all provided services, which the
 * server pays from the oldest on.
 * @param total kopecks
 */
export function paidLines(lines: readonly OwedLine[], chosen: readonly OwedLine[], total: number) {
  if (chosen.length === lines.length && chosen.every(({ charged }) => charged)) return undefined
  let left = total
  return chosen
    .toSorted((a, b) => Number(b.charged) - Number(a.charged))
    .flatMap((line) => {
      const sum = Math.min(left, restOf(line))
      left -= sum
      return sum > 0 ? [{ idCouponService: line.id, sum: rubles(sum) }] : []
    })
}

/** One method of a payment that is being entered: rubles; a text that is no number; null: nothing is typed. */
export interface TypedPart {
  method: PaymentMethod
  sum: number | string | null
}

/**
 * Sums of the parts of a payment: a typed one stays, a certificate pays up to its balance, and the only other part without
 * a typed sum gets the rest.
 * @param asked rubles to pay
 * @param certificate rubles on the certificate, if it is known
 */
export function partSums(asked: number, parts: readonly TypedPart[], certificate = 0): TypedPart['sum'][] {
  const byCertificate = Math.min(asked, certificate)
  const isOpen = ({ method, sum }: TypedPart) => sum === null && method !== 'certificate'
  const isOnly = parts.filter(isOpen).length === 1
  const known = ({ method, sum }: TypedPart) => sum ?? (method === 'certificate' ? byCertificate : 0)
  const taken = totalOf(parts.map(known))
  return parts.map((part) => {
    if (!isOpen(part)) return part.sum ?? (byCertificate > 0 ? byCertificate : null)
    const left = kopecks(asked) - taken
    return isOnly && left > 0 ? rubles(left) : null
  })
}

/** Kopecks of all sums that are numbers. */
export const totalOf = (sums: readonly TypedPart['sum'][]): number =>
  sums.reduce<number>((all, sum) => all + (typeof sum === 'number' ? kopecks(sum) : 0), 0)
