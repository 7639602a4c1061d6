import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from '../money/access.ts'

/** Characters of a code, without those that look alike. */
export const INVITE_LETTERS = 'ABCDEFGHKMNPQRSTUVWXYZ23456789'
export const INVITE_LENGTH = 7

/** The code by which a patient brings friends: one for each card that has asked for it. */
export const InviteCode = entity('invite-codes', {
  label: ['Код приглашения', 'кода приглашения', 'кодов приглашений'],
  gender: 'm',
  fields: {
    idCustomer: ref('customers', {
      label: 'Пациент',
      as: 'customer',
      required: true,
      readonly: true,
      whenDeleted: 'own',
    }),
    code: text({ label: 'Код', max: 16, required: true, readonly: true, unique: true, search: true }),
    dateCreate: dateTime({ label: 'Выдан', auto: 'created' }),
  },
  access: { view: moneyView },
  personal: 'idCustomer',
  title: 'code',
  sort: '-id',
})

export const inviteStates = {
  waits: 'Ждёт первого оплаченного визита',
  rewarded: 'Бонусы начислены',
  refused: 'Без бонусов',
  taken: 'Бонусы сняты после возврата',
} as const
export type InviteState = keyof typeof inviteStates

/** A friend who came by the code of a patient, and what both have got for it. Written by the server alone. */
export const Invite = entity('invites', {
  label: ['Приглашение', 'приглашения', 'приглашений'],
  gender: 'n',
  registry: {
    columns: [
      'dateCreate',
      'idInviter',
      'idFriend',
      'state',
      'rewardInviter',
      'rewardFriend',
      'dateRewarded',
      'reason',
    ],
    empty: {
      title: 'Приглашённых пока нет',
      text: 'Пациент делится ссылкой из личного кабинета; бонусы оба получают после первого оплаченного визита друга',
    },
  },
  fields: {
    idInviter: ref('customers', {
      label: 'Кто пригласил',
      as: 'inviter',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    idFriend: ref('customers', {
      label: 'Друг',
      as: 'friend',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    state: choice(inviteStates, { label: 'Состояние', default: 'waits', readonly: true }),
    rewardInviter: money({ label: 'Пригласившему, бонусов', readonly: true }),
    rewardFriend: money({ label: 'Другу, бонусов', readonly: true }),
    idBonusInviter: ref('bonuses', {
      label: 'Бонусы пригласившего',
      as: 'bonusInviter',
      readonly: true,
      onDelete: 'set null',
    }),
    idBonusFriend: ref('bonuses', { label: 'Бонусы друга', as: 'bonusFriend', readonly: true, onDelete: 'set null' }),
    dateRewarded: dateTime({ label: 'Начислены', readonly: true }),
    /** Why there is no reward, or why it was taken back. */
    reason: text({ label: 'Почему', max: 256, readonly: true }),
    dateCreate: dateTime({ label: 'Когда пришёл', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: { view: moneyView },
  personal: 'idFriend',
  sort: '-id',
})
