/** Public parts of the catalogue area. */

export { searchFirstVisits, searchServices } from './searchServices.ts'
