/** What is there of a product: one number, or one for each warehouse by its name. */
export type Saldo = number | Readonly<Record<string, number>>

const MAX_WAREHOUSES = 200
const MAX_QUANTITY = 999_999_999

/** Answers what is wrong with a saldo in words; undefined: nothing. */
export function wrongSaldo(saldo: unknown): string | undefined {
  const parts = typeof saldo === 'number' ? [saldo] : isMap(saldo) ? Object.values(saldo) : undefined
  if (!parts || parts.length > MAX_WAREHOUSES || !parts.every(isQuantity)) return 'Остаток — число или числа по складам'
  return undefined
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isQuantity = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MAX_QUANTITY
