/** Read-only permissions allow no writes: every writing call and entity requires a permission to write. */
import { describe, expect, it } from 'vitest'
import { everyCall } from './calls.ts'
import { entities } from './entities.ts'
import { type Permission, permissionLabel } from './permissions.ts'

/** Permissions for reading, by their names: «… : просмотр», journals, reports. */
const looks = (right: string): boolean =>
  right === 'signed-in' || /^(view|display)/.test(right) || /просмотр/i.test(permissionLabel(right as Permission))

/** Why a read permission is enough for a call other than GET. */
const why: Record<string, string> = {
  // Writes no data of the clinic.
  'POST /discounts/calculate': 'a calculation',
  'POST /customers/:id/open': 'opens for reading, and says so in the journal',
  'POST /exchange/messages/:id/open': 'opens for reading, and says so in the journal',
  // The permission covers the whole module; the records themselves define who may change which.
  viewTasksManagement: 'rights of the workspace',
  'POST /sales-management/files': 'a file is attached by who may change the deal',
  'POST /client/preview': 'shows a page and keeps nothing',
  // An operator works in the journal; each call is their own or unassigned.
  viewCallJournal: 'the work of the journal',
  'POST /shift-handover': 'what is handed over is the own',
  'POST /shift-handover/:id/undo': 'what is handed over is the own',
  // Only the person whose turn it is: checked by the handler.
  'POST /expenses/:id/decide': 'the approver that is named',
  'POST /eln/sign': 'the doctor or the chairman that the part names',
  'POST /eln/:id/refresh': 'asks the fund what it has',
  'POST /laboratory/samples/scan': 'without a step it looks; a step asks `takeLabSamples`',
  // The doctor of the visit.
  'POST /appointments/:id/status': 'the performer, or `editAppointments`',
  'POST /coupon-services/:id/done': 'the performer, or `editAppointments`',
  'PUT /coupon-services/:id': 'the performer, `editAppointments`, or `editVisitPrices` for the price',
  'POST /payer-contracts/:id/check': 'writes nothing: tries a service on a programme',
  'POST /calendar-feed': 'the own address',
  'DELETE /calendar-feed': 'the own address',
  'POST /reports/runs': 'a count for oneself, of what the report shows',
  'POST /reports/runs/:id/cancel': 'the own count',
  'POST /reports/mailings/:id/send': 'the own mailing, to who may open the report',
}

/** The same for records. */
const whose: Record<string, string> = {
  'user-settings': 'the own',
  notifications: 'the own',
  'consents/incidents': 'the officer for data, whose right the journal is',
  'calls/checks': 'the work of the journal',
  'discounts/approvals': 'a question to who decides',
  'reports/mailings': 'the own mailing, to who may open the report',
  // Readers may discuss; only one's own comments can be changed.
  'sales-management/lead-comments': 'a discussion',
  'sales-management/lead-comment-files': 'a discussion',
  'sales-management/offer-comments': 'a discussion',
  'sales-management/files': 'the own upload',
  'news/comments': 'a discussion',
  'examinations/uploads': 'the own upload',
  'regulations/runs': 'whoever follows a regulation',
  'regulations/run-steps': 'whoever follows a regulation',
  'regulations/violations': 'the person who is blamed answers',
  'shared-views': 'its author, and whoever may edit roles',
}

describe('a right to look', () => {
  it('is enough for no call that writes, except those with a stated reason', () => {
    const found = everyCall
      .filter(({ method }) => method !== 'GET' && method !== 'OPTIONS')
      .flatMap(({ method, path, access }) => {
        const name = `${method} ${path}`
        // Personal data are available to every signed-in user; public calls have their own keys.
        const rights = [access].flat().filter((right) => right !== 'public' && right !== 'signed-in')
        const bare = rights.filter((right) => typeof right === 'string' && looks(right))
        return bare.length && !why[name] && !bare.every((right) => why[right as string]) ? [`${name}: ${bare}`] : []
      })
    expect(found).toEqual([])
  })

  it('changes no records', () => {
    const found = entities.flatMap(({ path, access }) =>
      (['create', 'update', 'delete'] as const).flatMap((action) => {
        const bare = [access[action]].flat().filter((right) => typeof right === 'string' && looks(right))
        const known = whose[path] ?? bare.every((right) => why[right as string])
        return bare.length && !known ? [`${action} ${path}: ${bare}`] : []
      }),
    )
    expect(found).toEqual([])
  })
})
