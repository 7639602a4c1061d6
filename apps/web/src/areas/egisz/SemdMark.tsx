import { semdStatuses } from '@ordinator/model/areas/egisz/semd'
import { statusMark } from '#kit/statusMark.tsx'

/** Status of a document, coloured. */
export const SemdMark = statusMark(semdStatuses, {
  draft: 'red-6',
  validated: 'blue-6',
  signedDoctor: 'blue-6',
  signedOrg: 'blue-6',
  sent: 'yellow-6',
  accepted: 'yellow-6',
  registered: 'teal-6',
  rejected: 'red-6',
  network: 'red-6',
  cancelled: 'gray-5',
  replaced: 'gray-5',
})
