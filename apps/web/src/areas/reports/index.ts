/** What other areas may use of the reports. */
export { Change } from './Change.tsx'
