/** The worlds of visits, for the tests of areas that count what visits have given. */
export { billing } from '../areas/visits/testing/billing.ts'
export { worldOf } from '../areas/visits/testing/world.ts'
