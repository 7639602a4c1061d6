/** Public parts of the sales area: a discount field in percent or rubles. */
export { DiscountField } from './offers/DiscountField.tsx'
