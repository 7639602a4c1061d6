import { Customer, CustomerPolicy, CustomerRelation, CustomerSource, CustomerStatus, CustomerTag } from './customer.ts'
import { CustomerAttachment, CustomerFile, CustomerPhoto } from './files.ts'
import { CustomerMerge } from './merge.ts'

/** Entities of this area. */
export const entities = [
  Customer,
  CustomerPolicy,
  CustomerRelation,
  CustomerTag,
  CustomerSource,
  CustomerStatus,
  CustomerFile,
  CustomerPhoto,
  CustomerAttachment,
  CustomerMerge,
] as const
