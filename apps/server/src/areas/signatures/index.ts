import type { Area } from '#records/area.ts'
import { signatureOperations } from './calls.ts'
import { certificates, powers } from './certificates.ts'
import { demo } from './demo.ts'
import { warnOfEnds } from './warn.ts'

export {
  acceptRawSignature,
  acceptSignature,
  gostDigests,
  type SigningState,
  signatureForSimulator,
  signingState,
} from './accept.ts'
export { gostOf } from './gostOf.ts'
export { clinicTestKey, clinicTestSignature } from './simulator.ts'
export { type CheckedSignature, checkSignature } from './verify.ts'

/** Certificates of employees and the clinic, powers of attorney, and verification of signatures. */
export const signatures: Area = {
  name: 'signatures',
  title: 'Электронные подписи',
  records: [certificates, powers],
  operations: signatureOperations,
  start(app) {
    app.jobs.register('signatures.ends', { cron: '15 7 * * *', handler: () => warnOfEnds(app) })
  },
  demo,
}
