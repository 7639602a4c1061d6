/** What the catalogue publishes to others. */

export { searchServices } from './searchServices.ts'
