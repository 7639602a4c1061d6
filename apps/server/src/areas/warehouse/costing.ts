/** Cost of goods as they come and go, in exact kopecks and thousandths. Pure. */

/** Kopecks of a decimal of rubles. */
export const kopecks = (rubles: string): bigint => {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(rubles) ?? []
  const value = BigInt(whole) * 100n + BigInt(part.slice(0, 2).padEnd(2, '0'))
  return sign ? -value : value
}

/** Kopecks as a decimal of rubles. */
export const rubles = (value: bigint): string => {
  const size = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`
}

/** `a × b / c`, rounded half away from zero. */
export function share(a: bigint, b: bigint, c: bigint): bigint {
  const twice = (2n * a * b) / c
  return (twice + (twice < 0n ? -1n : 1n)) / 2n
}

/** A quantity in thousandths and its value in kopecks. */
export interface Value {
  qty: bigint
  cost: bigint
}

export interface BatchValue extends Value {
  /** Kopecks per unit as bought, rounded: a weight where nothing exact is known. */
  unit: bigint
}

/** A good in a warehouse: the whole and its batches. */
export interface Books extends Value {
  batches: Map<number, BatchValue>
}

export const noBooks = (): Books => ({ qty: 0n, cost: 0n, batches: new Map() })

const batchOf = (books: Books, idBatch: number): BatchValue => {
  const known = books.batches.get(idBatch)
  if (known) return known
  const made = { qty: 0n, cost: 0n, unit: 0n }
  books.batches.set(idBatch, made)
  return made
}

/** Adds a move to the books. */
export function enter(books: Books, idBatch: number, qty: bigint, cost: bigint): void {
  const batch = batchOf(books, idBatch)
  batch.qty += qty
  batch.cost += cost
  books.qty += qty
  books.cost += cost
}

/**
 * Kopecks of a move by the costing method: its share of the value of the good, or of its batch. The last pieces take
 * the whole rest, so that nothing is left on zero pieces and the sum of a batch is kept.
 * @param qty thousandths; negative for outgoing
 */
function priceOf(books: Books, idBatch: number, qty: bigint, byBatch: boolean): bigint {
  if (qty === 0n) return 0n
  if (books.qty + qty === 0n) return -books.cost
  const batch = batchOf(books, idBatch)
  const whole = byBatch ? { qty: batch.qty, cost: batchCost(books, idBatch) } : books
  if (whole.qty + qty === 0n) return -whole.cost
  return whole.qty > 0n ? share(whole.cost, qty, whole.qty) : share(batch.unit, qty, 1000n)
}

/**
 * Prices moves one after the other, each on the books that the one before leaves. By the mean, the moves of one line out
 * of several batches are priced as one: a line is rounded once, in however many batches its goods lie.
 * @returns the price of a move; `line` names the line of the document that it is of
 */
export function pricesInTurn(): (
  books: Books,
  move: { idBatch: number; qty: bigint; byBatch: boolean; line: string | undefined },
) => bigint {
  let open: { line: string; before: Value; out: Value } | undefined
  return (books, { idBatch, qty, byBatch, line }) => {
    if (byBatch || line === undefined || qty >= 0n) return priceOf(books, idBatch, qty, byBatch)
    const goesOn =
      open?.line === line &&
      books.qty === open.before.qty + open.out.qty &&
      books.cost === open.before.cost + open.out.cost
    if (!goesOn || !open) open = { line, before: { qty: books.qty, cost: books.cost }, out: { qty: 0n, cost: 0n } }
    const { before, out } = open
    const whole = priceOf({ ...before, batches: books.batches }, idBatch, out.qty + qty, false)
    const cost = whole - out.cost
    open = { line, before, out: { qty: out.qty + qty, cost: whole } }
    return cost
  }
}

/**
 * Value of a batch on hand. While batches do not add up to the good (goods were issued at the mean before), the value
 * of the good is divided by their purchase prices.
 */
function batchCost(books: Books, idBatch: number): bigint {
  const onHand = [...books.batches].filter(([, { qty }]) => qty > 0n)
  const sum = onHand.reduce((total, [, { cost }]) => total + cost, 0n)
  const own = batchOf(books, idBatch)
  if (sum === books.cost && onHand.every(([, { cost }]) => cost >= 0n)) return own.cost
  const weigh = (by: (one: BatchValue) => bigint) => onHand.reduce((total, [, one]) => total + by(one), 0n)
  const bought = (one: BatchValue) => one.qty * one.unit
  const weight = weigh(bought)
  if (weight > 0n) return share(books.cost, bought(own), weight)
  const pieces = weigh(({ qty }) => qty)
  return pieces > 0n ? share(books.cost, own.qty, pieces) : 0n
}

/**
 * Changes of value that bring a good to a new unit price.
 * @param price kopecks per unit
 * @param byBatch each batch is brought to the price; else the whole is, on its first batch
 */
export function revalued(books: Books, price: bigint, byBatch: boolean): { idBatch: number; cost: bigint }[] {
  const total = share(price, books.qty, 1000n)
  const ids = [...books.batches.keys()].toSorted((a, b) => a - b)
  const onHand = ids.filter((id) => batchOf(books, id).qty > 0n)
  if (!byBatch) return onHand.slice(0, 1).map((idBatch) => ({ idBatch, cost: total - books.cost }))
  let left = total
  return ids
    .map((idBatch) => {
      const { qty, cost } = batchOf(books, idBatch)
      const target = qty <= 0n ? 0n : idBatch === onHand.at(-1) ? left : share(total, qty, books.qty)
      left -= target
      return { idBatch, cost: target - cost }
    })
    .filter(({ cost }) => cost !== 0n)
}
