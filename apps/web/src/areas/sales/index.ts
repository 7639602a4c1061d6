/** What other areas may use of the sales: a discount that is typed in percent or in rubles. */
export { DiscountField } from './offers/DiscountField.tsx'
