/** What other areas may use of payroll. */
export { monthName } from './words.ts'
