import { messages } from '../../../messages.ts'
import { attachmentDocuments, attachmentFields } from '../../attachment/papers.ts'
import { flag } from '../checks.ts'
import { among, child, line, lines, secret, setting, severalOf, webAddress, whole } from '../setting.ts'
import { serviceModes } from './exchange.ts'

const norm = (label: string, byDefault: number) =>
  setting({ label, words: 'участок норма прикрепление население', check: whole(1, 20_000), byDefault })

const notice = (label: string, byDefault: string) =>
  setting({
    label,
    help: 'Вместо {номер}, {причина} и {срок} встанет то, что известно о заявлении',
    words: 'прикрепление уведомление шаблон сообщение заявителю',
    check: line(1000),
    byDefault,
    input: { kind: 'text' },
    wide: true,
  })

/** «Прикрепление»: applications of people who want to be attached to the clinic. */
export const attachmentSettings = child({
  page: 'attachmentSettings',
  beside: ['attachmentAreas', 'workingCalendar', 'filials'],
  groups: {
    'Приём заявлений': {
      attachmentOpen: setting({
        label: 'Принимать заявления с сайта',
        words: 'прикрепление омс онлайн поликлиника',
        check: flag(),
        byDefault: false,
      }),
      attachmentDays: setting({
        label: 'Ответить за, рабочих дней',
        words: 'прикрепление срок рассмотрения',
        help: 'По рабочему календарю',
        check: whole(1, 30),
        byDefault: 2,
      }),
      attachmentFields: setting<(keyof typeof attachmentFields)[]>({
        label: 'Без чего заявление не принимается',
        help: 'Кроме фамилии, имени и даты рождения',
        words: 'прикрепление обязательные поля анкета',
        check: severalOf(attachmentFields),
        byDefault: ['phone', 'enp', 'document', 'registration'],
        input: { kind: 'several', labels: attachmentFields },
        wide: true,
      }),
      attachmentDocuments: setting<(keyof typeof attachmentDocuments)[]>({
        label: 'Какие документы приложить',
        words: 'прикрепление паспорт полис снилс',
        check: severalOf(attachmentDocuments),
        byDefault: ['passport', 'oms', 'snils'],
        input: { kind: 'several', labels: attachmentDocuments },
        wide: true,
      }),
      attachmentText: setting({
        label: 'Что сказать перед заявлением',
        words: 'прикрепление подсказка пояснение',
        check: line(2000),
        byDefault: '',
        input: { kind: 'text' },
        wide: true,
      }),
    },
    Участки: {
      attachmentByAddress: setting({
        label: 'Определять участок по адресу',
        help: 'По улицам и домам участков; не нашлось — выбирает сотрудник',
        words: 'прикрепление автоматически район дом улица',
        check: flag(),
        byDefault: true,
      }),
      attachmentNormTherapy: norm('Норма терапевтического участка', 1700),
      attachmentNormPediatrics: norm('Норма педиатрического участка', 800),
      attachmentNormFamily: norm('Норма врача общей практики', 1200),
    },
    'Сообщения заявителю': {
      attachmentTaken: notice('Заявление принято', 'Заявление № {номер} принято. Ответим до {срок}'),
      attachmentAsked: notice('Нужны сведения', 'По заявлению № {номер} нужны сведения: {причина}'),
      attachmentAgreed: notice('Решение: прикрепить', 'Заявление № {номер} одобрено: вы прикреплены к нашей клинике'),
      attachmentRefused: notice('Решение: отказать', 'По заявлению № {номер} отказано: {причина}'),
    },
    'Обмен с ТФОМС': {
      tfomsMode: setting<keyof typeof serviceModes>({
        label: 'Режим обмена с ТФОМС',
        words: 'контур тестовый промышленный тфомс прикрепление',
        check: among(serviceModes),
        byDefault: 'off',
        input: { kind: 'choice', labels: serviceModes },
      }),
      tfomsCode: setting({
        label: 'Реестровый номер клиники',
        help: 'Шесть цифр из реестра организаций ОМС',
        words: 'тфомс омс код мо реестр',
        check: line(6).refine((v) => v === '' || /^\d{6}$/.test(v), 'Номер — шесть цифр'),
        byDefault: '',
      }),
      tfomsAddress: setting({
        label: 'Адрес сервиса ТФОМС',
        words: 'тфомс url обмен',
        check: webAddress(),
        calledBy: 'TFOMS_URL',
        byDefault: '',
        wide: true,
      }),
      tfomsLogin: setting({ label: 'Имя в сервисе ТФОМС', words: 'тфомс логин', check: line(128), byDefault: '' }),
      tfomsToken: secret({
        label: 'Ключ обмена с ТФОМС',
        words: 'тфомс пароль токен секрет',
        goesTo: 'tfomsAddress',
      }),
    },
    'Решение по заявлению': {
      attachmentRefusals: setting<string[]>({
        label: 'Причины отказа',
        help: 'По одной в строке; без причины отказать нельзя',
        words: 'прикрепление отказать',
        check: lines(50, 200).refine((all) => all.length > 0, messages.required),
        byDefault: ['Не хватает документов', 'Данные не совпали с полисом', 'Вне территории обслуживания'],
        input: { kind: 'lines' },
        wide: true,
      }),
    },
  },
})
