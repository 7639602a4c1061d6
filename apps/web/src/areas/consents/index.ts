/** What the area of consents publishes to others: the tab of a patient's card, and how a paper is signed. */
export { CustomerConsents } from './CustomerConsents.tsx'
export { DefaultConsents } from './DefaultConsents.tsx'
export { SignerName } from './SignerName.tsx'
export { SignatureFields, useSignature } from './signature.tsx'
export { useScan } from './useScan.tsx'
