/** Public parts of the catalogue area. */

export { searchServices } from './searchServices.ts'
