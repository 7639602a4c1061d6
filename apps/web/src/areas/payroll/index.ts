/** Public parts of the payroll area. */
export { monthName } from './words.ts'
