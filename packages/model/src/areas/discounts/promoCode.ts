import { entity } from '../../entity.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { discountAccess } from './discount.ts'

/** Maximum length of a code, and the alphabet of generated ones: without characters that look alike. */
export const CODE_LENGTH = 32
export const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Normalized form of a code: upper case without spaces. */
export const codeOf = (typed: string): string => typed.replace(/\s+/g, '').toLocaleUpperCase('ru')

/** A code to show: of a promotion, a card, a certificate. */
export const PromoCode = entity('discounts/promo-codes', {
  label: ['Код', 'кода', 'кодов'],
  gender: 'm',
  registry: {
    columns: ['code', 'limit', 'uses', 'idCustomer', 'expires', 'dateCreate'],
    form: ['code', 'limit', 'idCustomer', 'expires'],
    empty: { title: 'Кодов нет', text: 'Добавьте код или выпустите сразу много.' },
  },
  fields: {
    idDiscount: ref('discounts', { label: 'Скидка', as: 'discount', required: true, fixed: true, onDelete: 'cascade' }),
    code: text({
      label: 'Код',
      help: 'Регистр и пробелы не важны',
      required: true,
      min: 3,
      max: CODE_LENGTH,
      unique: true,
      search: true,
      fixed: true,
      rule: (value) => (/^[\p{L}\d-]*$/u.test(codeOf(value)) ? undefined : 'Только буквы, цифры и дефис'),
    }),
    limit: integer({ label: 'Применений', help: 'Пусто — без ограничения', min: 1, max: 10_000_000 }),
    idCustomer: ref('customers', { label: 'Только клиенту', as: 'customer', onDelete: 'set null' }),
    expires: date({ label: 'Действует по' }),
    uses: integer({ label: 'Применён', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Выпущен', auto: 'created' }),
    idUser: ref('users', { label: 'Выпустил', as: 'user', auto: 'actor' }),
  },
  access: discountAccess,
  within: 'idDiscount',
  title: 'code',
  sort: '-id',
  soft: true,
})
