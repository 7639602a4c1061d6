/** Public parts of the staff area: users to mention. */

export { useMentionable } from './mentionable.ts'
