/** Bring a friend: the patient's link, and what came of it. */
import { inviteStates } from '@ordinator/model/areas/outside/invite'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import { codeOf, invitesOf } from '#areas/outside/index.ts'
import { barsOf, svgOf } from '#platform/barcodes.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { type PatientContext, patientCall } from './sessions.ts'

const urlOf = ({ config }: AppContext, code: string): string =>
  `${config.publicUrl.replace(/\/$/, '')}/portal?friend=${code}`

/** A link of the desk opens no bonuses. @throws HttpError 403 */
function proven({ patient }: Pick<PatientContext<unknown>, 'patient'>): number {
  if (!patient.isProven) throw new HttpError(403, 'Войдите кодом, чтобы приглашать друзей', { code: 'birthday' })
  return patient.idCustomer
}

const friends = patientCall(portalCalls.friends, async ({ app, patient }) => {
  const invites = await invitesOf(app, proven({ patient }))
  return {
    ...invites,
    url: urlOf(app, invites.code),
    friends: invites.friends.map((one) => ({
      ...one,
      state: inviteStates[one.state as keyof typeof inviteStates] ?? one.state,
    })),
  }
})

const qr = patientCall(portalCalls.friendsQr, async ({ app, patient, reply }) => {
  const bars = await barsOf('qr', urlOf(app, await codeOf(app, proven({ patient }))))
  if (!bars) throw new Error('a link does not fit into a QR code')
  const [, image = ''] = svgOf(bars).split('base64,')
  return reply.type('image/svg+xml').header('cache-control', 'private, max-age=3600').send(Buffer.from(image, 'base64'))
})

export const friendOperations = [friends, qr]
