/** Kinds of records that the cards of several areas link to. */

export { chatLinks } from './chatLinks.ts'
