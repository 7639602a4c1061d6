import type { Area } from '#records/area.ts'
import { codeState, confirm, sendCode } from './codes.ts'
import { consentRecords, templates, versions } from './consents.ts'
import { demo, ready } from './demo.ts'
import { print, text } from './paper.ts'
import { incidents, requests } from './registers.ts'
import { revoke, sign } from './signing.ts'

export {
  codeStateOf,
  type Paper,
  phoneOf,
  sendCodeOf,
  sendConsentCode,
  signByCode,
  tryCode,
} from './codes.ts'
export { clinicDay, mayAdvertiseSql, statusSql } from './consents.ts'
export { consentPaper, signerFacts, signerOf } from './paper.ts'
export { requestStatusSql } from './registers.ts'
export { assertSigner, byHand, revokeConsent, type Signing } from './signing.ts'

/** Consents of patients: their texts and signatures. */
export const consents: Area = {
  name: 'consents',
  title: 'Согласия',
  records: [templates, versions, consentRecords, requests, incidents],
  operations: [text, print, sign, codeState, sendCode, confirm, revoke],
  ready,
  demo,
}
