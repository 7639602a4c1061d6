import type { Row } from '../../entity.ts'
import type { Discount } from './discount.ts'

/** Facts of a discount: its stored fields and the number of its uses. */
export type Rule = Omit<
  Row<typeof Discount>,
  | 'description'
  | 'state'
  | 'targetNames'
  | 'filialNames'
  | 'sumGiven'
  | 'version'
  | 'idPrevious'
  | 'dateCreate'
  | 'dateChange'
  | 'idUser'
  | '_version'
  | 'deleted'
> & {
  /** Uses by this customer. */
  customerUses: number
}

/** A line of a basket. */
export interface BasketLine {
  idService: number
  /** The service's group and all its parent groups. */
  groups: readonly number[]
  isProduct: boolean
  idDoctor: number | null
  /** Up to three decimals. */
  quantity: number
  /** Rubles per unit, from the price lists. */
  price: number
}

/** Facts of the customer. */
export interface CustomerFacts {
  id: number
  tags: readonly string[]
  /** The source and its parent sources. */
  sources: readonly number[]
  /** DD.MM.YYYY */
  birthday: string | null
  gender: 'none' | 'female' | 'male'
  isStaff: boolean
  /** The customer has had no visit yet. */
  isFirstVisit: boolean
  /** Rubles paid until now: in total, and within 12 months. */
  paid: { all: number; year: number }
}

/** Lines, place, time and customer. */
export interface Basket {
  lines: readonly BasketLine[]
  idFilial: number | null
  /** `YYYY-MM-DD` and `HH:mm` in the branch's time zone. */
  date: string
  time: string
  /** The company that pays for the customer. */
  idCompany: number | null
  customer: CustomerFacts | null
}

/** A valid code that the customer has shown. */
export interface CodeFacts {
  code: string
  idDiscount: number
  idCustomer: number | null
  expires: string | null
  limit: number | null
  uses: number
}

/** A discount by hand of an employee. */
export interface ManualDiscount {
  unit: 'percent' | 'rubles'
  /** Percent of the remainder, or rubles off the whole order. */
  value: number
  reason: string
}

/** Limits of the employee. */
export interface Authority {
  /** Maximum percent off a line by hand; null: no limit is set. */
  limit: number | null
  /** Discounts approved by another employee; `manual` is the one by hand, to which the limit no longer applies. */
  approved: { discounts: readonly number[]; manual: boolean }
}
