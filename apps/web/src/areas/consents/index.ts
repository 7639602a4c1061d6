/** What the area of consents publishes to others: the tab of a patient's card. */
export { CustomerConsents } from './CustomerConsents.tsx'
