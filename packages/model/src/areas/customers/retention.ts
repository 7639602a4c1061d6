/**
 * What becomes of a patient's records when the patient withdraws the consent (152-ФЗ, ст. 21, ч. 5): what no law asks the
 * clinic to keep is destroyed, the rest is kept for its term. Declared for each entity that names a patient; its parts go
 * with it, or have a fate of their own. Terms are those of the laws named; where sources differ, the longer one.
 */

/** Why records are kept, and for how many years after the last of them. */
export const keptFor = {
  medical: {
    words: 'Медицинская документация',
    law: '323-ФЗ, ст. 22 и 79; карта амбулаторного больного хранится 25 лет',
    years: 25,
  },
  money: { words: 'Бухгалтерские и налоговые документы', law: '402-ФЗ, ст. 29; НК РФ, ст. 23', years: 5 },
  proof: { words: 'Согласия и договоры', law: '152-ФЗ, ст. 9, ч. 3; ГК РФ, ст. 196', years: 3 },
} as const
export type KeptFor = keyof typeof keptFor

/**
 * - a reason of `keptFor`: kept as it is for its term, destroyed after it; - `erased`: destroyed at once; - `parted`: it
 * stays for the counts of the clinic, without the patient and without its words.
 */
export type Fate = KeptFor | 'erased' | 'parted'

/** By path of the entity. */
export const fates: Readonly<Record<string, Fate>> = {
  'advertising/conversions': 'parted',
  'advertising/touches': 'parted',
  appeals: 'parted',
  appointments: 'medical',
  'attachment/applications': 'medical',
  'attachment/attachments': 'medical',
  bonuses: 'money',
  calls: 'parted',
  'calls/transcripts': 'erased',
  certificates: 'money',
  consents: 'proof',
  'consents/requests': 'proof',
  'customer-plans': 'medical',
  'customers/attachments': 'medical',
  'customers/past-visits': 'medical',
  'customers/policies': 'medical',
  'customers/relations': 'medical',
  'customers/tags': 'erased',
  'discounts/approvals': 'money',
  'discounts/promo-codes': 'money',
  'discounts/uses': 'money',
  'egisz/operations': 'medical',
  'egisz/semds': 'medical',
  eln: 'medical',
  examinations: 'medical',
  families: 'money',
  'families/members': 'money',
  'guarantee-letters': 'money',
  'insured-persons': 'money',
  'invite-codes': 'erased',
  invites: 'money',
  'laboratory/orders': 'medical',
  'laboratory/results': 'medical',
  'ledger/accounts': 'money',
  'live-assist': 'erased',
  memberships: 'money',
  'memberships/users': 'money',
  messages: 'erased',
  'outside-bookings': 'parted',
  'payer-registries/lines': 'money',
  'payment-links': 'money',
  payments: 'money',
  'prompts/runs': 'erased',
  'sales-management/contacts': 'parted',
  'service-online': 'medical',
  'snils/queries': 'erased',
  'tasks-management/client-list-items': 'erased',
  'waiting-list': 'erased',
}

/** Fields of the card that what is kept must name: whose it is. */
export const cardKeeps: Readonly<Record<KeptFor, readonly string[]>> = {
  medical: [
    'surname',
    'name',
    'middleName',
    'gender',
    'birthday',
    'dateDeath',
    'cardNumber',
    'bloodGroup',
    'allergies',
    'disability',
    'benefitCode',
    'snils',
    'documentType',
    'numberPassport',
    'datePassport',
    'issuedByPassport',
    'issuedByPassportCode',
    'address',
    'postalCode',
    'region',
    'district',
    'nameCity',
    'nameStreet',
    'numberStreet',
    'numberRoom',
    'secretLevel',
  ],
  money: ['surname', 'name', 'middleName', 'birthday', 'cardNumber', 'inn', 'secretLevel'],
  proof: ['surname', 'name', 'middleName', 'birthday', 'documentType', 'numberPassport', 'cardNumber', 'secretLevel'],
}

/** Stands for the surname of a card of which nothing is kept. */
export const ERASED_NAME = 'Удалённый'
