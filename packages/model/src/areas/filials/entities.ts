import { CalendarDay } from './calendarDay.ts'
import { Filial, FilialFile, FilialHoliday, FilialPicture, FilialRoom } from './filial.ts'
import { BankAccount, InsuranceProgramme, Organization, Signatory } from './organization.ts'
import { Sequence } from './sequence.ts'

/** Entities of this area. */
export const entities = [
  FilialFile,
  Filial,
  FilialRoom,
  FilialHoliday,
  FilialPicture,
  Organization,
  BankAccount,
  Signatory,
  InsuranceProgramme,
  Sequence,
  CalendarDay,
] as const
