import { consentStatuses } from '@ordinator/model/areas/consents/consent'
import { statusMark } from '#kit/statusMark.tsx'

/** Status of a consent, coloured. */
export const StatusMark = statusMark(consentStatuses, {
  draft: 'gray-5',
  signed: 'teal-6',
  revoked: 'red-6',
  expired: 'yellow-6',
})
