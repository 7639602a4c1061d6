import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type RegistryColumn, registryLineStates, registryStates } from './rules.ts'

const view = ['viewPayers', 'editPayers'] as const

/** The services of a month that a payer is asked to pay for. A sent one is frozen: what was cut comes again in another. */
export const PayerRegistry = entity('payer-registries', {
  label: ['Реестр плательщику', 'реестра плательщику', 'реестров плательщикам'],
  gender: 'm',
  registry: {
    columns: ['month', 'idContract', 'state', 'lines', 'claimed', 'accepted', 'cut', 'open', 'paid', 'dateDue'],
    form: [],
    empty: { title: 'Реестров нет', text: 'Соберите реестр за месяц по договору: в него войдут оказанные услуги' },
  },
  fields: {
    idContract: ref('payer-contracts', {
      label: 'Договор',
      as: 'contract',
      required: true,
      readonly: true,
      whenDeleted: 'keeps',
    }),
    month: date({ label: 'Месяц', required: true, readonly: true }),
    number: integer({ label: '№', required: true, readonly: true }),
    state: choice(registryStates, { label: 'Состояние', default: 'draft', readonly: true }),
    dateSent: date({ label: 'Отправлен', readonly: true }),
    /** The last day to pay. */
    dateDue: date({ label: 'Оплатить до', readonly: true }),
    lines: integer({ label: 'Услуг', computed: true, required: true }),
    claimed: money({ label: 'Заявлено', computed: true, required: true }),
    accepted: money({ label: 'Принято', computed: true, required: true }),
    cut: money({ label: 'Снято', computed: true, required: true }),
    open: money({ label: 'Не решено', computed: true, required: true }),
    paid: money({ label: 'Оплачено', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто собрал', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Собран', auto: 'created' }),
  },
  many: { rows: many('payer-registries/lines', 'idRegistry') },
  access: { view },
  title: 'month',
  distinguishedBy: ['number', 'idContract', 'accepted'],
  sort: '-month,-id',
  soft: true,
})

/** A claimed line with its values as they were sent. */
export const RegistryLine = entity('payer-registries/lines', {
  label: ['Строка реестра', 'строки реестра', 'строк реестра'],
  gender: 'f',
  registry: { empty: { title: 'Строк нет', text: 'В этом месяце по договору ничего не оказано' } },
  fields: {
    idRegistry: ref('payer-registries', {
      label: 'Реестр',
      as: 'registry',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idCouponService: ref('coupon-services', {
      label: 'Услуга',
      as: 'line',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idCustomer: ref('customers', {
      label: 'Клиент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    sum: money({ label: 'Заявлено', required: true, readonly: true }),
    accepted: money({ label: 'Принято', default: 0, readonly: true }),
    cut: money({ label: 'Снято', default: 0, readonly: true }),
    state: choice(registryLineStates, { label: 'Состояние', default: 'claimed', readonly: true }),
    reason: text({ label: 'Причина снятия', max: 500, readonly: true }),
    reasonCode: text({ label: 'Код', max: 32, readonly: true }),
    /** The cut line that this one claims again. */
    idReissueOf: ref('payer-registries/lines', { label: 'Вместо строки', as: 'reissueOf', readonly: true }),
    /** Data for the payer, by the columns of the contract. */
    values: json<Partial<Record<RegistryColumn, string>>>()({
      label: 'Данные',
      required: true,
      readonly: true,
    }),
  },
  access: { view },
  within: 'idRegistry',
  sort: 'id',
  personal: 'idCustomer',
})
