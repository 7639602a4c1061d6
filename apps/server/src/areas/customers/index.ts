import { Customer, CustomerSource, CustomerStatus, CustomerTag } from '@ordinator/model/areas/customers/customer'
import { CustomerAttachment } from '@ordinator/model/areas/customers/files'
import { CustomerMerge } from '@ordinator/model/areas/customers/merge'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { accessAlerts, accessLog } from './accessLog.ts'
import { customerRecords, open, policies, relations } from './customers.ts'
import { demo, ready } from './demo.ts'
import { customerFiles, customerPhotos } from './files.ts'
import { offerCustomers } from './importCustomers.ts'
import { merge, mergePreview, mergeThread, unmerge } from './merge.ts'
import { dismissPair, duplicates, startPairs } from './pairs.ts'
import { personalCopy } from './personal/copy.ts'
import { personalErase, personalFate } from './personal/erase.ts'
import { startPhoneChanges } from './phoneChanges.ts'
import { birthdays } from './reports.ts'
import { similar } from './similar.ts'
import { thread } from './thread.ts'

export { LINK_MADE, LINK_OPENED } from './accessLog.ts'
export { assertOpen, ifOpen, isOpenCard, nextCardNumber, ofOpenCard, openName } from './customers.ts'
export { ERASED_BASIS } from './personal/erase.ts'
export { phoneIsFreshSql } from './phoneChanges.ts'
export { sameOfPhone } from './similar.ts'

/** The clinic's patients. */
export const customers: Area = {
  name: 'customers',
  title: 'Клиенты',
  records: [
    customerRecords,
    policies,
    relations,
    records(CustomerTag),
    records(CustomerSource),
    records(CustomerStatus),
    customerFiles,
    customerPhotos,
    records(CustomerAttachment),
    records(CustomerMerge, {
      about: { path: Customer.path, id: ({ row }) => sql`${row}."idKept"` },
      thread: mergeThread,
    }),
  ],
  reports: [birthdays],
  operations: [
    open,
    similar,
    duplicates,
    dismissPair,
    mergePreview,
    merge,
    unmerge,
    accessLog,
    accessAlerts,
    thread,
    personalCopy,
    personalFate,
    personalErase,
  ],
  start: (app) => {
    offerCustomers(app)
    startPairs(app)
    startPhoneChanges(app)
  },
  ready,
  demo,
}
