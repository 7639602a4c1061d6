import { Bonus } from './bonus.ts'
import { Certificate } from './certificate.ts'
import { CashDesk, CashShift } from './desk.ts'
import { Family, FamilyMember } from './family.ts'
import { FiscalTask } from './fiscal.ts'
import { LedgerAccount } from './ledger.ts'
import { PaymentLink } from './link.ts'
import { GuaranteeLetter, Payment, PaymentPart } from './payment.ts'

/** Entities of this area. */
export const entities = [
  Certificate,
  Family,
  FamilyMember,
  Bonus,
  CashDesk,
  PaymentLink,
  CashShift,
  GuaranteeLetter,
  Payment,
  PaymentPart,
  LedgerAccount,
  FiscalTask,
] as const
