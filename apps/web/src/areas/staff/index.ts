/** What the area of staff publishes to others: whom a text may name. */

export { useMentionable } from './mentionable.ts'
