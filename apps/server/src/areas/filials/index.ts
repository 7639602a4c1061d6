import type { Area } from '#records/area.ts'
import { calendarDays } from './calendar.ts'
import { demo, ready } from './demo.ts'
import { filialFiles, filialGallery, filialHolidays, filialRecords, specialDays } from './filials.ts'
import { bankAccounts, insuranceProgrammes, organizations, signatories } from './organizations.ts'
import { sequences, setNext } from './sequences.ts'

export { branchTime } from './branchTime.ts'
export { readCalendar } from './calendar.ts'
export { atDesk, atDeskOf, desksOf, worksIn } from './desks.ts'
export { followsOpening } from './filials.ts'
export { letterheadOf, ownOrganization } from './letterhead.ts'
export { nextNumber, nextNumbers } from './sequences.ts'

/** Branches, own and partner organizations, and document numbering. */
export const filials: Area = {
  name: 'filials',
  title: 'Филиалы и организации',
  records: [
    filialRecords,
    filialHolidays,
    filialFiles,
    filialGallery,
    organizations,
    bankAccounts,
    signatories,
    insuranceProgrammes,
    sequences,
    calendarDays,
  ],
  operations: [setNext, specialDays],
  ready,
  demo,
}
