import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const attachmentPages = [
  {
    key: 'attachment',
    path: 'attachment',
    title: 'Прикрепление',
    help: 'Заявления о прикреплении к клинике: что проверить, до какого часа ответить',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
    menu: true,
    entity: 'attachment/applications',
    makes: {
      label: 'Новое заявление о прикреплении',
      any: ['check_applications'],
      names: 'прикрепить омс',
      rare: true,
    },
  },
  {
    key: 'attachmentApplication',
    path: 'attachment-application/:id',
    title: 'Заявление о прикреплении',
    help: 'Данные рядом с картой, проверки, участок и решение по одному заявлению',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
  },
  {
    key: 'attachedPeople',
    path: 'attachment/people',
    title: 'Прикреплённые',
    help: 'Кто к какому участку прикреплён, с какого дня и почему откреплён',
    section: 'reception',
    icon: 'attachment',
    any: ['check_applications'],
    entity: 'attachment/attachments',
    makes: { label: 'Новое прикрепление', any: ['check_applications'], names: 'прикрепить', rare: true },
  },
] as const satisfies readonly Page[]

/** Set-up pages of this area; the model’s `pages.ts` adds them to the list. */
export const attachmentSetUp = [
  {
    key: 'attachmentAreas',
    path: 'settings/attachment-areas',
    title: 'Участки',
    help: 'Врач, норма и дома участка: по ним участок находится по адресу заявителя',
    section: 'settings',
    group: 'state',
    icon: 'attachment',
    any: ['mainSettings'],
    entity: 'attachment/areas',
    makes: { label: 'Новый участок', any: ['mainSettings'], rare: true },
  },
] as const satisfies readonly Page[]
