/** Visit fixtures, for tests of other areas that count provided services. */
export { billing } from '#areas/visits/testing/billing.ts'
export { worldOf } from '#areas/visits/testing/world.ts'
