/** What the area of staff publishes to others: whom a text may name. */

export { FactorList } from './factors/FactorList.tsx'
export { useMentionable } from './mentionable.ts'
