/** What the area of consents publishes to others: the tab of a patient's card, and the signature by a code. */
export { CustomerConsents } from './CustomerConsents.tsx'
export { SmsCode } from './SmsCode.tsx'
