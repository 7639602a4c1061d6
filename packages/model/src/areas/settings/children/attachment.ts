import { messages } from '../../../messages.ts'
import { flag } from '../checks.ts'
import { child, line, lines, setting, severalOf, whole } from '../setting.ts'

export const attachmentDocuments = {
  passport: 'Паспорт',
  birthCertificate: 'Свидетельство о рождении',
  oms: 'Полис ОМС',
  snils: 'СНИЛС',
  representative: 'Документ представителя',
} as const

/** «Прикрепление»: the application of a person who wants to be served by this clinic. */
export const attachmentSettings = child({
  page: 'attachmentSettings',
  waits: 'online',
  beside: ['filials'],
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
        check: whole(1, 30),
        byDefault: 4,
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
