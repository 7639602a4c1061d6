/** Public parts of the consents area: the tab of a patient's card, and signing. */
export { CustomerConsents } from './CustomerConsents.tsx'
export { DefaultConsents } from './DefaultConsents.tsx'
export { SignerName } from './SignerName.tsx'
export { SignatureFields, useSignature } from './signature.tsx'
export { useScan } from './useScan.tsx'
