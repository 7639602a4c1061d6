import type { Row } from '../../entity.ts'
import type { Discount } from './discount.ts'

/** What a discount is asked with: as it is stored, and how often it was given. */
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
  /** Of this customer alone. */
  customerUses: number
}

/** A line of a basket. */
export interface BasketLine {
  idService: number
  /** The service's group and all those it lies in. */
  groups: readonly number[]
  isProduct: boolean
  idDoctor: number | null
  /** Up to three digits after the point. */
  quantity: number
  /** Rubles for one, as the price lists have it. */
  price: number
}

/** What is known of whom it is for. */
export interface CustomerFacts {
  id: number
  tags: readonly string[]
  /** The source and those that it lies in. */
  sources: readonly number[]
  /** DD.MM.YYYY */
  birthday: string | null
  gender: 'none' | 'female' | 'male'
  isStaff: boolean
  /** None of the customer's visits has begun until now. */
  isFirstVisit: boolean
  /** Rubles paid until now: ever, and within 12 months. */
  paid: { all: number; year: number }
}

/** Where, when and for whom. */
export interface Basket {
  lines: readonly BasketLine[]
  idFilial: number | null
  /** `YYYY-MM-DD` and `HH:mm` of the branch's clock. */
  date: string
  time: string
  /** Who pays for the customer. */
  idCompany: number | null
  customer: CustomerFacts | null
}

/** A code that was shown and found. */
export interface CodeFacts {
  code: string
  idDiscount: number
  idCustomer: number | null
  expires: string | null
  limit: number | null
  uses: number
}

/** What an employee gives by hand. */
export interface ManualDiscount {
  unit: 'percent' | 'rubles'
  /** Percent of what is left, or rubles off the whole order. */
  value: number
  reason: string
}

/** What the employee may do. */
export interface Authority {
  /** The most that may be taken off a line, percent; null: nobody has said. */
  limit: number | null
  /** Discounts that another person has agreed to; `manual` is the one by hand, which the limit then leaves alone. */
  approved: { discounts: readonly number[]; manual: boolean }
}
