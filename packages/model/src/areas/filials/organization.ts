import type { FieldError } from '../../check.ts'
import { entity, many, type Row } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { identifier } from '../../fields/identifier.ts'
import { phone } from '../../fields/phone.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { accountFits } from '../../identifiers.ts'

/**
 * Edited with the settings right; visible also to users who write customers (policies) and services (suppliers,
 * laboratories).
 */
const access = {
  view: ['mainSettings', 'editCustomers', 'editServices'],
  create: 'mainSettings',
  update: 'mainSettings',
  delete: 'mainSettings',
} as const

/** Visible also to users who read prices and money: as owner of a price list, cash desk, payment or expense. */
const namedAccess = {
  ...access,
  view: [...access.view, 'viewServices', 'viewCashDesk', 'viewExpenses', 'payroll'],
} as const
/** Visible also to users who pay from it. */
const accountAccess = { ...access, view: [...access.view, 'viewExpenses', 'payroll'] } as const

export const organizationKinds = {
  own: 'Своя',
  insurer: 'Страховая (ДМС)',
  supplier: 'Поставщик',
  laboratory: 'Лаборатория',
  contractor: 'Контрагент',
} as const

export const taxSystems = {
  osn: 'ОСН',
  usnIncome: 'УСН «доходы»',
  usnProfit: 'УСН «доходы минус расходы»',
  ausn: 'АУСН',
  psn: 'ПСН',
} as const

/** Rates of VAT, in percent, as of 2026 (НК РФ ст. 164). */
export const vatRates = { vat0: '0 %', vat5: '5 %', vat7: '7 %', vat10: '10 %', vat22: '22 %' } as const

/** A legal entity or entrepreneur: the clinic itself or a partner. */
export const Organization = entity('organizations', {
  label: ['Организация', 'организации', 'организаций'],
  gender: 'f',
  registry: {
    columns: ['shortName', 'kind', 'inn', 'kpp', 'phone', 'active'],
    form: {
      Организация: ['shortName', 'fullName', 'kind', 'active'],
      Реквизиты: ['inn', 'kpp', 'ogrn', 'oid', 'legalAddress', 'phone', 'email'],
      Налоги: ['taxSystem', 'isVatPayer', 'vatRate'],
      'Лицензия на медицинскую деятельность': ['licenceNumber', 'licenceDate', 'licenceIssuer'],
    },
    empty: {
      title: 'Организаций пока нет',
      text: 'Добавьте свою: её реквизиты стоят в документах. Затем страховые, поставщиков и лаборатории',
    },
  },
  fields: {
    shortName: text({ label: 'Краткое название', required: true, max: 128, search: true }),
    fullName: text({ label: 'Полное название', max: 500, multiline: true, search: true }),
    kind: choice(organizationKinds, { label: 'Вид', required: true }),
    active: boolean({ label: 'Действует', default: true }),
    inn: identifier('inn', { label: 'ИНН', help: '10 цифр у организации, 12 у предпринимателя', search: true }),
    kpp: identifier('kpp', { label: 'КПП' }),
    ogrn: identifier('ogrn', { label: 'ОГРН или ОГРНИП' }),
    oid: identifier('oid', { label: 'OID', help: 'В федеральном реестре медицинских организаций' }),
    legalAddress: text({ label: 'Юридический адрес', max: 500 }),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта' }),
    taxSystem: choice(taxSystems, { label: 'Система налогообложения', help: 'Для документов' }),
    isVatPayer: boolean({
      label: 'Плательщик НДС',
      help: 'Для документов: в чеке стоит ставка услуги',
      default: false,
    }),
    vatRate: choice(vatRates, { label: 'Ставка НДС', help: 'Для документов' }),
    licenceNumber: text({ label: 'Номер лицензии', max: 64 }),
    licenceDate: date({ label: 'Дата лицензии' }),
    licenceIssuer: text({ label: 'Кем выдана', max: 255 }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: {
    accounts: many('organizations/accounts', 'idOrganization'),
    signatories: many('organizations/signatories', 'idOrganization'),
    programmes: many('organizations/programmes', 'idOrganization'),
  },
  instead: 'Учёт по ней должен остаться',
  access: namedAccess,
  // Branches of one organization share the ИНН and differ in КПП.
  unique: [['kpp', 'inn']],
  title: 'shortName',
  brief: ['shortName', 'kind'],
  sort: 'shortName,id',
  soft: true,
})

type Requisites = Pick<Row<typeof Organization>, 'inn' | 'kpp' | 'ogrn' | 'isVatPayer' | 'vatRate'>

/** Contradictions between an organization's requisites, by field. */
export function organizationErrors({ inn, kpp, ogrn, isVatPayer, vatRate }: Partial<Requisites>): FieldError[] {
  const errors: FieldError[] = []
  const isPerson = inn ? inn.length === 12 : ogrn?.length === 15
  if (kpp && isPerson)
    errors.push({ field: 'kpp', message: 'КПП есть только у организаций, у предпринимателя его не бывает' })
  if (inn && ogrn && isPerson !== (ogrn.length === 15))
    errors.push({
      field: 'ogrn',
      message: isPerson
        ? 'ИНН из 12 цифр бывает у предпринимателя: нужен ОГРНИП из 15 цифр'
        : 'ИНН из 10 цифр бывает у организации: нужен ОГРН из 13 цифр',
    })
  if (isVatPayer && !vatRate) errors.push({ field: 'vatRate', message: 'Укажите ставку НДС' })
  if (!isVatPayer && vatRate)
    errors.push({
      field: 'vatRate',
      message: 'Ставка бывает у плательщика НДС: уберите её или отметьте «Плательщик НДС»',
    })
  return errors
}

const ofOrganization = () =>
  ref('organizations', { label: 'Организация', as: 'organization', required: true, fixed: true, onDelete: 'cascade' })

/** A bank account of an organization. */
export const BankAccount = entity('organizations/accounts', {
  label: ['Банковский счёт', 'банковского счёта', 'банковских счетов'],
  gender: 'm',
  registry: { empty: { title: 'Счетов нет', text: 'Счетов пока нет. Они стоят в договорах и счетах на оплату' } },
  fields: {
    idOrganization: ofOrganization(),
    bik: identifier('bik', { label: 'БИК', required: true }),
    account: identifier('account', { label: 'Расчётный счёт', required: true }),
    corrAccount: identifier('account', { label: 'Корреспондентский счёт' }),
    bankName: text({ label: 'Банк', required: true, max: 255 }),
    isMain: boolean({ label: 'Основной', default: false }),
  },
  access: accountAccess,
  within: 'idOrganization',
  unique: [['idOrganization', 'bik', 'account']],
  title: 'bankName',
  sort: '-isMain,id',
  soft: true,
})

/** Account numbers that fail the check digit with the bank's БИК. */
export function accountErrors({
  bik,
  account,
  corrAccount,
}: Partial<Pick<Row<typeof BankAccount>, 'bik' | 'account' | 'corrAccount'>>): FieldError[] {
  if (!bik) return []
  const message = 'Не подходит к этому БИК: проверьте цифры счёта и БИК'
  const errors: FieldError[] = []
  if (account && !accountFits(bik, account)) errors.push({ field: 'account', message })
  if (corrAccount && !accountFits(bik, corrAccount)) errors.push({ field: 'corrAccount', message })
  return errors
}

/** A person who signs for an organization. */
export const Signatory = entity('organizations/signatories', {
  label: ['Подписант', 'подписанта', 'подписантов'],
  gender: 'm',
  registry: {
    empty: { title: 'Подписантов нет', text: 'Подписантов пока нет: кто подписывает документы и на каком основании' },
  },
  fields: {
    idOrganization: ofOrganization(),
    fio: text({ label: 'ФИО', required: true, spelling: 'fio', max: 192 }),
    post: text({ label: 'Должность', required: true, max: 128 }),
    basis: text({ label: 'Действует на основании', help: 'Устава; доверенности № 5 от 12.01.2026', max: 255 }),
    order: position({ group: ['idOrganization'], start: 'last' }),
  },
  access,
  within: 'idOrganization',
  title: 'fio',
  sort: 'order',
  soft: true,
})

/** A programme of voluntary insurance: the insurer pays for its clients. */
export const InsuranceProgramme = entity('organizations/programmes', {
  label: ['Программа ДМС', 'программы ДМС', 'программ ДМС'],
  gender: 'f',
  registry: {
    empty: { title: 'Программ нет', text: 'Программ пока нет. По программе полис клиента оплачивает услуги' },
  },
  fields: {
    idOrganization: ofOrganization(),
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    code: text({ label: 'Код', help: 'Как её называет страховая', max: 64, search: true }),
    dateFrom: date({ label: 'Действует с' }),
    dateTo: date({ label: 'По' }),
    active: boolean({ label: 'Действует', default: true }),
    description: text({ label: 'Условия', max: 2000, multiline: true }),
  },
  access: namedAccess,
  within: 'idOrganization',
  unique: [['idOrganization', 'name']],
  title: 'name',
  brief: ['name', 'code'],
  sort: 'name,id',
  soft: true,
})
