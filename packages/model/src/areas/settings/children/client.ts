import { type PortalAction, portalActions, type SignInWay, signInWays } from '../../portal/rules.ts'
import { flag } from '../checks.ts'
import { child, setting, severalOf, whole } from '../setting.ts'

/** «Личный кабинет»: whether patients come in, how, and what they do by themselves. */
export const clientSettings = child({
  page: 'clientSettings',
  groups: {
    'Личный кабинет': {
      portalActive: setting({
        label: 'Личный кабинет пациента открыт',
        help: 'Пациенты входят по адресу /portal. Выключено — никто из них не войдёт, а вошедшие выйдут',
        words: 'портал приложение онлайн',
        check: flag(),
        byDefault: false,
      }),
      portalSignIn: setting<SignInWay[]>({
        label: 'Как пациенты входят',
        help: 'Личную ссылку даёт сотрудник из карты: на сутки, для одного устройства',
        words: 'портал код смс вход',
        check: severalOf(signInWays).refine((all) => all.length > 0, 'Выберите хотя бы один способ'),
        byDefault: ['code', 'link'],
        input: { kind: 'several', labels: signInWays },
        wide: true,
      }),
      portalActions: setting<PortalAction[]>({
        label: 'Что пациенты делают сами',
        help: 'Смотреть свои визиты и данные можно всегда',
        words: 'портал запись оплата чат онлайн',
        check: severalOf(portalActions),
        byDefault: ['confirm', 'cancel', 'chat'],
        input: { kind: 'several', labels: portalActions },
        wide: true,
      }),
      portalCancelHours: setting({
        label: 'Отменить визит можно не позже чем за, ч',
        help: 'Позже пациента просят позвонить; 0 — до самого начала',
        words: 'портал отмена запись',
        check: whole(0, 168),
        byDefault: 12,
      }),
    },
  },
})
