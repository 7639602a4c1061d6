import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './desk.ts'

const access = {
  view: moneyView,
  create: ['takePayments', 'editAccount'],
  update: ['takePayments', 'editAccount'],
  delete: ['takePayments', 'editAccount'],
} as const

export const familyStates = { active: 'Действует', blocked: 'Заблокирован' } as const

/**
 * A family account: the advance of one patient pays for the members, within limits. Its money is the payer's own advance
 * in the ledger; there is no account of its own.
 */
export const Family = entity('families', {
  label: ['Семейный счёт', 'семейного счёта', 'семейных счетов'],
  gender: 'm',
  registry: {
    columns: ['idHead', 'state', 'members', 'advance', 'spent', 'dateCreate'],
    form: ['idHead', 'state', 'comment'],
    empty: {
      title: 'Семейных счетов нет',
      text: 'Выберите плательщика и добавьте тех, за кого он платит: его аванс будет общим, в пределах лимитов',
    },
  },
  fields: {
    idHead: ref('customers', {
      label: 'Плательщик',
      as: 'head',
      help: 'Общий счёт — его аванс; пополняют его обычной оплатой',
      required: true,
      fixed: true,
      whenDeleted: 'asks',
    }),
    state: choice(familyStates, {
      label: 'Состояние',
      default: 'active',
      help: 'Заблокированным не платят: потерян доступ, спор в семье, просьба плательщика',
    }),
    comment: text({ label: 'Примечание', max: 500, multiline: true }),
    members: integer({ label: 'Человек', computed: true, required: true }),
    advance: money({ label: 'На счёте', computed: true, required: true }),
    spent: money({ label: 'За этот месяц', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Открыт', auto: 'created' }),
  },
  many: { people: many('families/members', 'idFamily') },
  access,
  title: 'idHead',
  distinguishedBy: ['idHead', 'state'],
  sort: '-id',
  soft: true,
  personal: 'idHead',
})

/** A member for whom a family account pays. Removed: they have left, and the refunds of what was paid still go back. */
export const FamilyMember = entity('families/members', {
  label: ['Член семьи', 'члена семьи', 'членов семьи'],
  gender: 'm',
  registry: { empty: { title: 'Никого нет', text: 'Добавьте тех, за кого платит этот счёт' } },
  fields: {
    idFamily: ref('families', {
      label: 'Семейный счёт',
      as: 'family',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idCustomer: ref('customers', {
      label: 'За кого',
      as: 'customer',
      required: true,
      fixed: true,
      whenDeleted: 'asks',
    }),
    limitMonth: money({
      label: 'Не больше в месяц',
      min: 0,
      max: 100_000_000,
      help: 'Пусто — без лимита; считается по дню оплаты, возврат возвращает и лимит',
    }),
    /** An adult's visits are their secret (323-ФЗ art. 13): without it the payer sees sums alone. */
    showsServices: boolean({
      label: 'Согласен показывать услуги плательщику',
      default: false,
      help: 'Решает сам пациент, можно и в личном кабинете. Без согласия плательщик видит только суммы; услуги детей, которых он представляет, — всегда',
    }),
    spent: money({ label: 'За этот месяц', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  access,
  within: 'idFamily',
  unique: [['idFamily', 'idCustomer']],
  sort: 'id',
  soft: true,
  personal: 'idCustomer',
})
