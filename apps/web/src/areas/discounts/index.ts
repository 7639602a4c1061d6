/** Public parts of the discounts area. */
export { DiscountReasons } from './DiscountReasons.tsx'
export { QuoteNote } from './QuoteNote.tsx'
